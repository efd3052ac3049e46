/**
 * The program of the process that holds Cedar: one job after the other, until its input ends. It speaks JSON-RPC, one message a line, and
 * imports nothing that it can do without: someone waits for its first decision. Whatever Cedar throws ends the process.
 */
import type { JobKind } from './engine-jobs.js'

interface Message {
  readonly id: number
  readonly method: 'ready' | JobKind
  readonly params: never
}

// A service manager signals all processes at once. The service still needs decisions while it stops.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined)

const { jobs } = await import('./answer-job.js')

function answer(line: Buffer): void {
  const { id, method, params } = JSON.parse(line.toString('utf8')) as Message
  const result = method === 'ready' ? {} : jobs[method](params)
  process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', id, result })}\n`)
}

let held: Buffer[] = []
process.stdin.on('end', () => process.exit())
process.stdin.on('data', (bytes: Buffer) => {
  let from = 0
  for (let end = bytes.indexOf('\n'); end >= 0; end = bytes.indexOf('\n', from)) {
    const line = Buffer.concat([...held, bytes.subarray(from, end)])
    held = []
    from = end + 1
    answer(line)
  }
  held.push(bytes.subarray(from))
})
