import { isMainThread, Worker } from 'node:worker_threads'

/**
 * Loaded into the service before everything else (`node --import`): kills its process with SIGKILL
 * before or behind the commit of the `count`-th execution of a task that reaches one state. It
 * watches what goes to the thread that writes the database. The address of this module says when:
 * `?state=queued&moment=before&count=3`; `state` is one of an execution, or `reminded`. With
 * `level=child` only executions count whose result another one waits for, with `level=top` only the
 * others.
 */

/** What is used of the messages between the connection and its writer. */
interface WriterMessage {
  readonly kind: string
  readonly batches?: readonly (readonly [checks: unknown, writes: readonly (readonly unknown[])[]])[]
  readonly results?: readonly object[]
}

interface ExecutionBody {
  readonly id: string
  readonly state: string
  readonly agent_id: string | null
  readonly parent_execution: string | null
}

const { searchParams } = new URL(import.meta.url)
const state = searchParams.get('state')
const before = searchParams.get('moment') === 'before'
const count = Number(searchParams.get('count') ?? 1)
const level = searchParams.get('level')

let matches = 0

const kill = (): void => void process.kill(process.pid, 'SIGKILL')

/** The states that a commit brings executions to. */
function statesOf(writes: readonly (readonly unknown[])[]): readonly string[] {
  return writes.flatMap(([, , body]) => {
    if (typeof body !== 'string' || !body.includes('"transitions":[') || !body.includes('"parent_execution":')) return []
    const execution = JSON.parse(body) as ExecutionBody
    if (level !== null && level !== (execution.parent_execution === null ? 'top' : 'child')) return []
    return [execution.agent_id === null ? 'reminded' : execution.state]
  })
}

const strikes = (reached: string): boolean => {
  if (reached !== state) return false
  matches += 1
  return matches === count
}

if (state !== null && isMainThread && process.argv[1]?.endsWith('agent-service.mjs')) {
  // By thread: the commits that wait for their answer, in order.
  const waiting = new WeakMap<Worker, (readonly (readonly string[])[])[]>()
  const { postMessage } = Worker.prototype
  const { emit } = Worker.prototype

  Worker.prototype.postMessage = function (this: Worker, ...given: Parameters<typeof postMessage>) {
    const message = given[0] as WriterMessage | undefined
    if (message?.kind === 'commit' && message.batches) {
      const batches = message.batches.map(([, writes]) => statesOf(writes))
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
    }
    return emit.apply(this, given)
  }
}
