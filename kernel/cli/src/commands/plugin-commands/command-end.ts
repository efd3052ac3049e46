import { type BoundedQueue, createBoundedQueue, untilAborted } from '@agent-service/sdk/async'
import { exitStatus } from '../exit-status.js'

/** How long a command may take to end after it was asked to, in milliseconds. */
const graceMs = 5_000

/** Interrupts that wait to be read; further ones are dropped. */
const maxInterrupts = 16

/** How a running command is asked to end. */
export interface CommandEnd {
  /** Aborted at the first SIGINT or SIGTERM; the second ends the process. */
  readonly signal: AbortSignal
  /** Rejects when the command does not end after it was asked to, or never can. */
  readonly overdue: Promise<never>
  /**
   * Takes over SIGINT, from the first read until the iteration ends. @throws the reason of the
   * signal.
   */
  interrupts(signal: AbortSignal): AsyncIterable<'interrupt'>
  /** Stops watching. */
  close(): void
}

/** Watches a command until `close`. */
export function watchForCommandEnd(): CommandEnd {
  const stopping = new AbortController()
  let timer: NodeJS.Timeout | undefined
  let fail: (error: Error) => void = () => undefined
  const overdue = new Promise<never>((_, reject) => {
    fail = reject
  })
  const takers = new Set<BoundedQueue<'interrupt'>>()
  const onSignal = (name: NodeJS.Signals): void => {
    if (name === 'SIGINT' && takers.size > 0 && !stopping.signal.aborted) {
      for (const taker of takers) taker.offer('interrupt')
      return
    }
    if (stopping.signal.aborted) process.exit(exitStatus.failed)
    timer = setTimeout(() => fail(new Error(`it did not end within ${graceMs / 1000} s after it was asked to`)), graceMs)
    stopping.abort(new DOMException('it was asked to end', 'AbortError'))
  }
  // Without this, Node would end here with its own status and warning.
  const onNothingLeft = (): void => void setImmediate(() => fail(new Error('it waits for something that will never happen')))
  process.on('SIGINT', onSignal)
  process.on('SIGTERM', onSignal)
  process.on('beforeExit', onNothingLeft)
  return {
    signal: stopping.signal,
    overdue,
    async *interrupts(signal) {
      const queue = createBoundedQueue<'interrupt'>({ maxItems: maxInterrupts })
      takers.add(queue)
      try {
        yield* untilAborted(queue, signal)
      } finally {
        takers.delete(queue)
      }
    },
    close() {
      clearTimeout(timer)
      process.off('SIGINT', onSignal)
      process.off('SIGTERM', onSignal)
      process.off('beforeExit', onNothingLeft)
    },
  }
}
