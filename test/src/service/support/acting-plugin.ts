import { mkdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

/** The id of the plugin. */
export const actingPluginId = 'plugin-that-acts'

const manifest = { id: actingPluginId, apiVersion: 1, description: 'Keeps token files for its callers.', contributes: ['http.route'] }
const of = (name: string): string => JSON.stringify(fileURLToPath(import.meta.resolve(`@agent-service/sdk${name}`)))

/**
 * Writes a plugin whose route keeps a token file for its caller in a folder, for as long as the
 * plugin runs. Gives its folder.
 */
export async function writeActingPlugin(folder: string, tokenFolder: string): Promise<string> {
  const place = path.join(folder, actingPluginId)
  await mkdir(place)
  const files: Readonly<Record<string, string>> = {
    'package.json': JSON.stringify({ name: actingPluginId, version: '1.0.0', type: 'module', agentService: { plugin: './plugin.json' } }),
    'plugin.json': JSON.stringify({ ...manifest, version: '1.0.0', entry: './index.js' }),
    'index.js': `import { definePlugin } from ${of('')}
import { defineRoute, httpRoutes, noContent } from ${of('/contracts/http-route')}
import { ephemeralTokensService } from ${of('/services/ephemeral-tokens')}
export default definePlugin({
  manifest: ${JSON.stringify(manifest)},
  setup(context) {
    const tokens = context.use(ephemeralTokensService)
    context.contribute(httpRoutes, defineRoute({
      method: 'POST',
      path: '/api/plugins/${actingPluginId}/start',
      operationId: 'pluginThatActsStart',
      summary: 'Keep a token file',
      auth: 'user',
      answers: { 204: { description: 'It is kept.' } },
      async handle({ principal }) {
        const actor = { kind: 'app', id: 'app-1', purpose: 'app' }
        await tokens.keepTokenFile({ userId: principal.userId, actor, folder: ${JSON.stringify(tokenFolder)} }, new AbortController().signal)
        return noContent()
      },
    }))
  },
})
`,
  }
  for (const [name, text] of Object.entries(files)) await writeFile(path.join(place, name), text)
  return place
}
