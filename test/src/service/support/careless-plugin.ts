import { mkdir, writeFile } from 'node:fs/promises'
import path from 'node:path'

const sdk = import.meta.resolve('@agent-service/sdk')

/** A plugin from elsewhere that does wrong. */
export interface CarelessPlugin {
  readonly id: string
  /** The body of `setup(context)`; what the tests need of Node is in scope, and `loop`, which never ends. */
  readonly setup: string
  /** Runs when the module is imported. Default: nothing. */
  readonly atImport?: string
}

/** Writes a plugin in a folder of its own and gives that. */
export async function writeCarelessPlugin(parent: string, { id, setup, atImport = '' }: CarelessPlugin): Promise<string> {
  const folder = path.join(parent, id)
  await mkdir(folder, { recursive: true })
  const manifest = { id, apiVersion: 1, description: 'Does wrong for a test.' }
  const write = (name: string, content: string): Promise<void> => writeFile(path.join(folder, name), content)
  await write('package.json', JSON.stringify({ name: id, version: '1.0.0', type: 'module', agentService: { plugin: './plugin.json' } }))
  await write('plugin.json', JSON.stringify({ ...manifest, version: '1.0.0', entry: './index.js' }))
  await write(
    'index.js',
    `import { spawn } from 'node:child_process'
import { writeSync } from 'node:fs'
import { createServer, connect } from 'node:net'
import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { definePlugin } from ${JSON.stringify(sdk)}
const never = () => undefined
const say = (what) => writeSync(2, ${JSON.stringify(id)} + ' is ' + what + '\\n')
const loop = () => { say('busy'); for (;;) {} }
${atImport}
export default definePlugin({
  manifest: ${JSON.stringify(manifest)},
  async setup(context) {
    ${setup}
  },
})
`,
  )
  return folder
}

/** The environment of a service with these plugins beside its own. */
export async function withCarelessPlugins(folder: string, plugins: readonly CarelessPlugin[]): Promise<Readonly<Record<string, string>>> {
  const folders = await Promise.all(plugins.map((plugin) => writeCarelessPlugin(path.join(folder, 'careless'), plugin)))
  return { SERVICE_PLUGINS_SOURCES: JSON.stringify(folders) }
}
