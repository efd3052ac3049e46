import { writeSync } from 'node:fs'
import type { MissingGuarantee, openTestEditor } from '@agent-service/kernel/testing'

/**
 * Counts up in a configuration file, one save after the other, and prints one line for each
 * attempt: `saved <count>` or `stale`, anything else being a fault. Started with one argument,
 * JSON: {@link ConfigurationWriterTask}. With `attempts` it begins when its standard input has ended, and ends after
 * them, else when it is killed.
 */
export interface ConfigurationWriterTask {
  readonly folder: string
  readonly attempts?: number
  readonly missing?: MissingGuarantee
}

const task = JSON.parse(process.argv[2] ?? '{}') as ConfigurationWriterTask
// The one module of the kernel that is needed: these programs are started and killed by the
// hundred.
const module = (await import(new URL('../../../kernel/cli/dist/testing/open-test-editor.js', import.meta.url).href)) as {
  readonly openTestEditor: typeof openTestEditor
}
const editor = module.openTestEditor(task)

const countIn = (address: unknown): number => Number(/^http:\/\/count\/(\d+)$/.exec(String(address))?.[1] ?? 0)

writeSync(1, 'ready\n')
if (task.attempts !== undefined) for await (const _ of process.stdin);
for (let attempt = 0; attempt < (task.attempts ?? Number.POSITIVE_INFINITY); attempt++) {
  try {
    const { revision, saved, problems } = await editor.read()
    if (problems.length > 0) throw new Error(`The file cannot be read: ${problems[0]?.message}`)
    const server = saved['server']
    const count = countIn(typeof server === 'object' && server !== null && 'base_url' in server ? server['base_url'] : undefined) + 1
    // Two fields, so that a mixture of two saves shows.
    await editor.save({ set: { 'server.base_url': `http://count/${count}`, 'server.frontend_url': `http://count/${count}` } }, revision)
    writeSync(1, `saved ${count}\n`)
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : ''
    writeSync(1, code === 'stale_config' ? 'stale\n' : `fault ${String(error).split('\n')[0]}\n`)
  }
}
