import { mkdir, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { waitForFolder } from '../../support/wait-for-folder.js'

/**
 * One line of the file in which the tools count what is done to them. It outlives every process.
 */
export interface Execution {
  readonly kind: 'execute' | 'probe'
  readonly tool: string
  readonly callId: string
}

/** A plugin on disk whose tools hang in the first `hangs` executions of a call. */
export interface CountingTools {
  /** For `plugins.sources`. */
  readonly folder: string
  readonly names: readonly string[]
  executions(): Promise<readonly Execution[]>
  /** Resolves once each of these tools has been executed so often. */
  executed(times: number, tools: readonly string[]): Promise<void>
}

/** One tool for each effect class, and one for each thing that a probe can say. */
const tools = [
  { name: 'tool__read', effect: 'read' },
  { name: 'tool__idempotent', effect: 'idempotent' },
  { name: 'tool__checkable_done', effect: 'checkable', says: 'done' },
  { name: 'tool__checkable_not_done', effect: 'checkable', says: 'not_done' },
  { name: 'tool__checkable_unknown', effect: 'checkable', says: 'unknown' },
  { name: 'tool__unsafe', effect: 'unsafe' },
]

/** The module, which runs in the service's process. */
const code = `import { appendFileSync, readFileSync } from 'node:fs'
import { definePlugin, Type } from ${JSON.stringify(import.meta.resolve('@agent-service/sdk'))}
import { tools } from ${JSON.stringify(import.meta.resolve('@agent-service/sdk/contracts/tool'))}

const file = new URL('./executions.jsonl', import.meta.url)
const note = (line) => appendFileSync(file, JSON.stringify(line) + '\\n')
const timesOf = (callId) =>
  readFileSync(file, 'utf8').split('\\n').filter((line) => line.includes('"execute"') && line.includes(callId)).length

const counting = ({ name, effect, says }) => ({
  specVersion: 1,
  name,
  title: name,
  description: 'Counts its calls.',
  parameters: Type.Object({ hangs: Type.Integer({ minimum: 0 }) }),
  effect,
  supports: { probe: says !== undefined },
  async execute({ hangs }, { callId }) {
    note({ kind: 'execute', tool: name, callId })
    if (timesOf(callId) <= hangs) await new Promise(() => undefined)
    return { content: [{ type: 'text', text: name + ' is done' }] }
  },
  ...(says === undefined ? {} : { async probe(callId) {
    note({ kind: 'probe', tool: name, callId })
    return says
  } }),
})

export default definePlugin({
  manifest: { id: 'tool', apiVersion: 1, contributes: ['tool'] },
  setup(context) {
    for (const tool of ${JSON.stringify(tools)}) context.contribute(tools, counting(tool))
  },
})
`

/** Writes the plugin below a folder. */
export async function writeCountingTools(parent: string): Promise<CountingTools> {
  const folder = path.join(parent, 'tool-counting')
  const file = path.join(folder, 'executions.jsonl')
  const manifest = { id: 'tool', version: '1.0.0', apiVersion: 1, contributes: ['tool'], entry: './index.js' }
  await mkdir(folder)
  const write = (name: string, content: string): Promise<void> => writeFile(path.join(folder, name), content)
  await write(
    'package.json',
    JSON.stringify({ name: manifest.id, version: '1.0.0', type: 'module', agentService: { plugin: './plugin.json' } }),
  )
  await write('plugin.json', JSON.stringify(manifest))
  await write('index.js', code)
  await write('executions.jsonl', '')

  const executions = async (): Promise<readonly Execution[]> =>
    (await readFile(file, 'utf8'))
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as Execution)
  return {
    folder,
    names: tools.map(({ name }) => name),
    executions,
    async executed(times, wanted) {
      await waitForFolder(folder, async () => {
        const seen = (await executions()).filter(({ kind }) => kind === 'execute')
        return wanted.every((name) => seen.filter(({ tool }) => tool === name).length >= times) || undefined
      })
    },
  }
}
