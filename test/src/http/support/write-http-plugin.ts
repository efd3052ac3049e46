import { mkdir, writeFile } from 'node:fs/promises'
import path from 'node:path'

/**
 * Writes the folder of a plugin: its manifest, and the body of its `setup`, which can use the HTTP
 * contracts by name. Returns the folder.
 */
export async function writePlugin(
  parent: string,
  manifest: { readonly id: string } & Readonly<Record<string, unknown>>,
  setup: string,
): Promise<string> {
  const { id } = manifest
  const folder = path.join(parent, id)
  await mkdir(folder, { recursive: true })
  const full = { apiVersion: 1, description: 'Written by a test.', ...manifest }
  const write = (name: string, text: string): Promise<void> => writeFile(path.join(folder, name), text)
  await write('package.json', JSON.stringify({ name: id, version: '1.0.0', type: 'module', agentService: { plugin: './plugin.json' } }))
  await write('plugin.json', JSON.stringify({ ...full, version: '1.0.0', entry: './index.js' }))
  await write(
    'index.js',
    `import { definePlugin, Type } from ${JSON.stringify(import.meta.resolve('@agent-service/sdk'))}
    import * as routes from ${JSON.stringify(import.meta.resolve('@agent-service/sdk/contracts/http-route'))}
    import * as sockets from ${JSON.stringify(import.meta.resolve('@agent-service/sdk/contracts/websocket-route'))}
    import * as sites from ${JSON.stringify(import.meta.resolve('@agent-service/sdk/contracts/http-site'))}
    export default definePlugin({ manifest: ${JSON.stringify(full)}, setup(context) { ${setup} } })`,
  )
  return folder
}
