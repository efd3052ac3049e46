import { mkdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

const resolve = (specifier: string): string => JSON.stringify(fileURLToPath(import.meta.resolve(specifier)))

/**
 * Writes `tool-unseen` below a folder and gives its folder: a third party's operations for
 * administrators, of which one notes nothing, one notes itself, one reads, one fails half-way and
 * one refuses; and a WebSocket for them.
 */
export async function writeUnseenPlugin(parent: string): Promise<string> {
  const folder = path.join(parent, 'tool-unseen')
  const manifest = {
    id: 'tool-unseen',
    apiVersion: 1,
    description: 'Changes things, for a test.',
    contributes: ['http.route', 'websocket.route'],
  }
  await mkdir(folder, { recursive: true })
  const files: Readonly<Record<string, string>> = {
    'package.json': JSON.stringify({ name: manifest.id, version: '1.0.0', type: 'module', agentService: { plugin: './plugin.json' } }),
    'plugin.json': JSON.stringify({ ...manifest, version: '1.0.0', entry: './index.js' }),
    'index.js': `import { definePlugin, Type } from ${resolve('@agent-service/sdk')}
import { defineRoute, httpRoutes, noContent, notFoundError } from ${resolve('@agent-service/sdk/contracts/http-route')}
import { defineWebSocketRoute, websocketRoutes } from ${resolve('@agent-service/sdk/contracts/websocket-route')}
import { auditService } from ${resolve('@agent-service/sdk/services/audit')}

export default definePlugin({
  manifest: ${JSON.stringify(manifest)},
  setup(context) {
    const audit = context.use(auditService)
    const place = '/api/plugins/tool-unseen/things/{thing_id}'
    const route = (method, path, operationId, handle, more = {}) => context.contribute(httpRoutes, defineRoute({
      method, path, operationId: 'toolUnseen' + operationId, summary: 'A thing', tags: ['tests'], auth: 'admin',
      ...(method === 'GET' || method === 'DELETE' ? {} : { body: { kind: 'json', schema: Type.Object({ secret: Type.Optional(Type.String()) }) } }),
      query: Type.Object({ key: Type.Optional(Type.String()) }),
      answers: { 204: { description: 'Done.' } }, ...more, handle,
    }))
    context.contribute(websocketRoutes, defineWebSocketRoute({
      path: place + '/talk', operationId: 'toolUnseenTalkToThing', summary: 'A thing', auth: 'admin', messages: { kind: 'raw' },
      async handle(connection) { for await (const message of connection.messages) await connection.send(message) },
    }))
    route('POST', place, 'ChangeThing', async () => noContent())
    route('PUT', place, 'NoteThing', async ({ params }) => {
      await audit.note({ kind: 'thing.noted', subject: params.thing_id, before: { key: 'set' }, after: { key: 'changed' } })
      return noContent()
    })
    route('GET', place, 'ReadThing', async () => noContent())
    route('POST', place + '/look', 'LookAtThing', async () => noContent(), { changes: false })
    route('PATCH', place, 'BreakThing', async () => { throw new Error('half-way') })
    route('DELETE', place, 'RefuseThing', async () => { throw notFoundError.create({ what: 'thing' }) })
  },
})
`,
  }
  for (const [name, text] of Object.entries(files)) await writeFile(path.join(folder, name), text)
  return folder
}
