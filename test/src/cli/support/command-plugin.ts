import { mkdir, writeFile } from 'node:fs/promises'
import path from 'node:path'

const sdk = import.meta.resolve('@agent-service/sdk')
const commands = import.meta.resolve('@agent-service/sdk/contracts/cli-command')
const database = import.meta.resolve('@agent-service/sdk/services/database')

/** A plugin that contributes commands, as its author writes it. */
export interface CommandPlugin {
  readonly id: string
  /**
   * The body of `setup(context)`; `cliCommands`, `databaseService` and `command`, which contributes
   * one, are in scope.
   */
  readonly setup: string
  /** Text at the top of the module. */
  readonly head?: string
}

/** Writes a plugin in a folder of its own and gives that. */
export async function writeCommandPlugin(parent: string, { id, setup, head = '' }: CommandPlugin): Promise<string> {
  const folder = path.join(parent, id)
  await mkdir(folder, { recursive: true })
  const manifest = { id, apiVersion: 1, description: 'Commands for a test.', contributes: ['cli.command'] }
  const write = (name: string, content: string): Promise<void> => writeFile(path.join(folder, name), content)
  await write('package.json', JSON.stringify({ name: id, version: '1.0.0', type: 'module', agentService: { plugin: './plugin.json' } }))
  await write('plugin.json', JSON.stringify({ ...manifest, version: '1.0.0', entry: './index.js' }))
  await write(
    'index.js',
    `import { definePlugin } from ${JSON.stringify(sdk)}
import { cliCommands } from ${JSON.stringify(commands)}
import { databaseService } from ${JSON.stringify(database)}
${head}
export default definePlugin({
  manifest: ${JSON.stringify(manifest)},
  async setup(context) {
    const command = (name, run, more = {}) =>
      context.contribute(cliCommands, { specVersion: 1, name, summary: 'Does ' + name, run, ...more })
    ${setup}
  },
})
`,
  )
  return folder
}
