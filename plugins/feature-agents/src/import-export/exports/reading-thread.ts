import { Worker } from 'node:worker_threads'
import type { ReadChat, ReadingAnswer, ReadingOrder } from './reading-worker.js'

/** Reads chats beside the event loop, one at a time. */
export interface ReadingThread {
  /**
   * The chats of a piece of an export. One that takes too long or too much memory is a problem of its
   * own; the next piece is read by a new thread. @throws the signal's reason.
   */
  read(json: Buffer, now: number, signal: AbortSignal): Promise<readonly ReadChat[]>
  close(): Promise<void>
}

/** How long a thread may take for one chat, its start included, in milliseconds. */
const defaultLimitMs = 120_000

export function createReadingThread({ limitMs = defaultLimitMs }: { readonly limitMs?: number } = {}): ReadingThread {
  let worker: Worker | undefined
  const end = async (): Promise<void> => {
    const ended = worker
    worker = undefined
    await ended?.terminate()
  }
  const begin = (): Worker => {
    const begun = new Worker(new URL('./reading-worker.js', import.meta.url), {
      ...{ env: {}, execArgv: [], resourceLimits: { maxOldGenerationSizeMb: 768 } },
    })
    // An order listens for itself while it waits; this one is for the time between two orders.
    begun.on('error', () => undefined)
    begun.on('exit', () => {
      if (worker === begun) worker = undefined
    })
    return begun
  }
  return {
    async read(json, now, signal) {
      signal.throwIfAborted()
      worker ??= begin()
      let found: readonly ReadChat[] | string | undefined
      try {
        found = await answerOf(worker, { json, now }, { signal, limitMs })
      } finally {
        // It may still be at work, and its answer would be taken for that to the next order.
        if (found === undefined || typeof found === 'string') await end()
      }
      return typeof found === 'string' ? [{ title: null, problem: found }] : found
    },
    close: end,
  }
}

/** The chats, or why the thread cannot go on. */
function answerOf(
  worker: Worker,
  order: ReadingOrder,
  { signal, limitMs }: { readonly signal: AbortSignal; readonly limitMs: number },
): Promise<readonly ReadChat[] | string> {
  return new Promise((resolve, reject) => {
    const settle = (finish: () => void): void => {
      clearTimeout(timer)
      signal.removeEventListener('abort', onAbort)
      worker.off('message', onMessage).off('error', onError).off('exit', onExit)
      finish()
    }
    const onAbort = (): void => settle(() => reject(signal.reason as Error))
    const onMessage = (answer: ReadingAnswer): void =>
      settle(() => ('failure' in answer ? reject(new Error(`A chat could not be read: ${answer.failure}`)) : resolve(answer.chats)))
    const onError = (error: Error & { readonly code?: unknown }): void =>
      settle(() => (error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? resolve('reading it takes too much memory') : reject(error)))
    const onExit = (): void => settle(() => reject(new Error('The thread that reads chats has ended.')))
    const timer = setTimeout(() => settle(() => resolve('reading it takes too long')), limitMs)
    worker.on('message', onMessage).on('error', onError).on('exit', onExit)
    signal.addEventListener('abort', onAbort, { once: true })
    worker.postMessage(order)
  })
}
