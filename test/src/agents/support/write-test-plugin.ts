import { mkdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import type { Plugin, PluginManifest } from '@agent-service/sdk'

/** Makes the folder of a plugin whose code is a module of the tests. Answers the folder. */
export async function writeTestPlugin(folder: string, { manifest }: Plugin, module: URL): Promise<string> {
  await mkdir(folder)
  const write = (name: string, content: string): Promise<void> => writeFile(path.join(folder, name), content)
  const entry = { version: '1.0.0', entry: './index.js' }
  await write(
    'package.json',
    JSON.stringify({ name: manifest.id, version: '1.0.0', type: 'module', agentService: { plugin: './plugin.json' } }),
  )
  await write('plugin.json', JSON.stringify({ ...(manifest satisfies PluginManifest), ...entry }))
  await write('index.js', `export { default } from ${JSON.stringify(module.href)}\n`)
  return folder
}
