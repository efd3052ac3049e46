import { rmSync } from 'node:fs'
import { isMainThread, Worker } from 'node:worker_threads'

/**
 * Loaded into the service before everything else (`node --import`): kills its process with SIGKILL
 * once a line of the access log that says that a credential was opened is durable, before anyone in
 * the process knows. It watches what goes to the thread that writes the database, and does so while
 * the file `armed` of its address is there, which it removes.
 */

/** What is used of the messages between the connection and its writer. */
interface WriterMessage {
  readonly kind: string
  readonly batches?: readonly (readonly [checks: unknown, writes: readonly (readonly unknown[])[]])[]
  readonly results?: readonly object[]
}

const armed = new URL(import.meta.url).searchParams.get('armed')

const isUse = (body: unknown): boolean =>
  typeof body === 'string' && ['"kind":"opened"', '"outcome":"ok"', '"use":"process"'].every((member) => body.includes(member))

/** Whether the file was there: it is removed for the next life of the service. */
function disarm(file: string): boolean {
  try {
    rmSync(file)
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false
    throw error
  }
}

if (armed !== null && isMainThread && process.argv[1]?.endsWith('agent-service.mjs')) {
  // By thread: of the commits that wait for their answer, in order, which batches have such a line.
  const waiting = new WeakMap<Worker, (readonly boolean[])[]>()
  const { postMessage } = Worker.prototype
  const { emit } = Worker.prototype

  Worker.prototype.postMessage = function (this: Worker, ...given: Parameters<typeof postMessage>) {
    const message = given[0] as WriterMessage | undefined
    if (message?.kind === 'commit' && message.batches)
      waiting.set(this, [...(waiting.get(this) ?? []), message.batches.map(([, writes]) => writes.some(([, , body]) => isUse(body)))])
    return postMessage.apply(this, given)
  }

  Worker.prototype.emit = function (this: Worker, ...given: Parameters<typeof emit>) {
    const message = given[1] as WriterMessage | undefined
    if (String(given[0]) === 'message' && message?.kind === 'results') {
      const uses = waiting.get(this)?.shift() ?? []
      const isDurable = uses.some((isOne, index) => isOne && 'revision' in (message.results?.[index] ?? {}))
      if (isDurable && disarm(armed)) process.kill(process.pid, 'SIGKILL')
    }
    return emit.apply(this, given)
  }
}
