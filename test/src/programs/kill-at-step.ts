import { appendFileSync, existsSync } from 'node:fs'
import { isMainThread, Worker } from 'node:worker_threads'

/**
 * Loaded into the service before everything else (`node --import`): kills its process with SIGKILL
 * before or behind the commit of the `count`-th step of one type of the log of runs, counted from
 * when the file `armed` is there. It watches what goes to the thread that writes the database. The
 * address of this module says when: `?type=tool.started&moment=before&count=3&armed=/…`; without
 * `type` it kills nothing. Every durable step is a line `step <type> <run>` of the standard error,
 * and every call whose result is durable a line of the file `journal`.
 */

interface Step {
  readonly run: string
  readonly type: string
  readonly call_id?: string
}

/** What is used of the messages between the connection and its writer. */
interface WriterMessage {
  readonly kind: string
  readonly batches?: readonly (readonly [checks: unknown, writes: readonly (readonly unknown[])[]])[]
  readonly results?: readonly object[]
}

const { searchParams } = new URL(import.meta.url)
const type = searchParams.get('type')
const before = searchParams.get('moment') === 'before'
const count = Number(searchParams.get('count') ?? 1)
const armed = searchParams.get('armed')
const journal = searchParams.get('journal')

let matches = 0

const kill = (): void => void process.kill(process.pid, 'SIGKILL')

/** Whether this is the step to be killed at. */
const strikes = (step: Step): boolean => {
  if (step.type !== type || (armed !== null && !existsSync(armed))) return false
  matches += 1
  return matches === count
}

const stepOf = (body: unknown): readonly Step[] => {
  if (typeof body !== 'string' || !body.includes('"run_id"') || !body.includes('"body":{"type":"')) return []
  const { run_id: run, body: step } = JSON.parse(body) as { readonly run_id: string; readonly body: Omit<Step, 'run'> }
  return [{ run, ...step }]
}

if (isMainThread && process.argv[1]?.endsWith('agent-service.mjs')) {
  // By thread: the commits that wait for their answer, in order, each with the steps that it
  // writes.
  const waiting = new WeakMap<Worker, (readonly (readonly Step[])[])[]>()
  const { postMessage } = Worker.prototype
  const { emit } = Worker.prototype

  Worker.prototype.postMessage = function (this: Worker, ...given: Parameters<typeof postMessage>) {
    const message = given[0] as WriterMessage | undefined
    if (message?.kind === 'commit' && message.batches) {
      const batches = message.batches.map(([, writes]) => writes.flatMap(([, , body]) => stepOf(body)))
      waiting.set(this, [...(waiting.get(this) ?? []), batches])
      if (before && batches.flat().some(strikes)) kill()
    }
    return postMessage.apply(this, given)
  }

  Worker.prototype.emit = function (this: Worker, ...given: Parameters<typeof emit>) {
    const message = given[1] as WriterMessage | undefined
    if (String(given[0]) === 'message' && message?.kind === 'results') {
      const batches = waiting.get(this)?.shift() ?? []
      const durable = batches.filter((_, index) => 'revision' in (message.results?.[index] ?? {})).flat()
      // The commit is not visible elsewhere yet.
      if (!before && durable.some(strikes)) kill()
      for (const step of durable) {
        process.stderr.write(`step ${step.type} ${step.run}\n`)
        if (step.type === 'tool.completed' && journal)
          appendFileSync(journal, `${JSON.stringify({ kind: 'recorded', callId: step.call_id })}\n`)
      }
    }
    return emit.apply(this, given)
  }
}
