import { mkdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Api } from '../../support/api.js'

const resolve = (specifier: string): string => JSON.stringify(fileURLToPath(import.meta.resolve(specifier)))

/**
 * Writes a third party's plugin that lets tests call its own service of credentials over HTTP.
 * Gives its folder.
 */
export async function writeCredentialsPlugin(folder: string, id: string): Promise<string> {
  const place = path.join(folder, id)
  const manifest = { id, apiVersion: 1, description: 'Keeps credentials.', contributes: ['http.route'], requires: ['credentials'] }
  const operationId = `${id.replace(/-(.)/g, (_, letter: string) => letter.toUpperCase())}Call`
  await mkdir(place)
  const files: Readonly<Record<string, string>> = {
    'package.json': JSON.stringify({ name: id, version: '1.0.0', type: 'module', agentService: { plugin: './plugin.json' } }),
    'plugin.json': JSON.stringify({ ...manifest, version: '1.0.0', entry: './index.js' }),
    'index.js': `import { definePlugin, Type } from ${resolve('@agent-service/sdk')}
import { defineRoute, httpRoutes } from ${resolve('@agent-service/sdk/contracts/http-route')}
import { credentialsService } from ${resolve('@agent-service/sdk/services/credentials')}

export default definePlugin({
  manifest: ${JSON.stringify(manifest)},
  setup(context) {
    const credentials = context.use(credentialsService)
    context.contribute(httpRoutes, defineRoute({
      method: 'POST',
      path: '/api/plugins/${id}/calls',
      operationId: '${operationId}',
      summary: 'Calls the service',
      tags: ['tests'],
      auth: 'user',
      body: { kind: 'json', schema: Type.Object({ method: Type.String(), argument: Type.Unknown(), more: Type.Optional(Type.Unknown()) }) },
      answers: { 200: { description: 'What it said.', contentType: 'text/plain' } },
      async handle({ body: { method, argument, more }, signal }) {
        const answer = await Promise.resolve(credentials[method](argument, typeof more === 'string' ? more : { ...more, signal })).then(
          (result) => ({ result: result ?? null }),
          (error) => ({ error: error.code, message: error.message }),
        )
        return { status: 200, kind: 'bytes', contentType: 'text/plain', bytes: Buffer.from(JSON.stringify(answer)) }
      },
    }))
  },
})
`,
  }
  for (const [name, text] of Object.entries(files)) await writeFile(path.join(place, name), text)
  return place
}

/** What the service of a plugin said: a result, or the code of an error. */
export interface ServiceAnswer {
  readonly result?: never
  readonly error?: string
  readonly message?: string
}

/** Calls a method of the service as a plugin has it. */
export async function callService(api: Api, plugin: string, method: string, argument: unknown, more?: unknown): Promise<ServiceAnswer> {
  const { status, body } = await api.request('POST', `/api/plugins/${plugin}/calls`, {
    method,
    argument,
    ...(more !== undefined && { more }),
  })
  if (status !== 200) throw new Error(`The plugin answered ${status}: ${JSON.stringify(body)}`)
  return body as ServiceAnswer
}
