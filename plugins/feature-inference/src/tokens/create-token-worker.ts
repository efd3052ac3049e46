import { Worker } from 'node:worker_threads'
import type { Disposer } from '@agent-service/sdk'
import type { Clock } from '@agent-service/sdk/services/clock'
import type { TokenEncoding } from './token-encoding.js'
import type { FromTokenThread, ToTokenThread } from './token-thread-messages.js'

/** Counts tokens in a separate thread. */
export interface TokenWorker {
  /** Whether the thread is running. */
  readonly running: boolean
  /**
   * The tokens of each text, in order. @throws if the thread fails, is closed, is too busy, or
   * takes longer than a minute; an abort throws the signal's reason.
   */
  count(encoding: TokenEncoding, texts: readonly string[], signal: AbortSignal): Promise<readonly number[]>
  /** Ends the thread. Running counts fail. May be called more than once. */
  close(): Promise<void>
}

/** The thread ends after this time without work. */
const idleMs = 60_000
/** How long one count may take, including the wait for others. */
const maxCountMs = 60_000
/** How many characters may wait to be counted. */
const maxWaiting = 32 * 1024 * 1024

interface PendingCount {
  resolve(counts: readonly number[]): void
  reject(error: unknown): void
}

/** The thread starts with the first count and keeps the process alive only while it counts. */
export function createTokenWorker({ clock }: { readonly clock: Pick<Clock, 'after'> }): TokenWorker {
  const pending = new Map<number, PendingCount>()
  let lastId = 0
  let waiting = 0
  let thread: Worker | undefined
  let closed = false
  let stopIdle: Disposer | undefined

  const endThread = async (error: unknown): Promise<void> => {
    const ending = thread
    thread = undefined
    for (const count of [...pending.values()]) count.reject(error)
    stopIdle?.()
    await ending?.terminate()
  }

  const threadForWork = (): Worker => {
    stopIdle?.()
    if (thread) return thread
    const started = new Worker(new URL('./token-thread.js', import.meta.url), {
      name: 'token-counts',
      argv: [],
      env: {},
      resourceLimits: { maxOldGenerationSizeMb: 512 },
    })
    started.on('message', (message: FromTokenThread) => {
      const count = pending.get(message.id)
      if ('counts' in message) count?.resolve(message.counts)
      else count?.reject(new Error(`The tokens could not be counted: ${message.failure}`))
    })
    const onEnd = (error: unknown): void => {
      if (thread === started) void endThread(error)
    }
    started.on('error', onEnd)
    started.on('exit', () => onEnd(new Error('The token-counting thread ended.')))
    thread = started
    return started
  }

  return {
    get running() {
      return thread !== undefined
    },
    count(encoding, texts, signal) {
      const characters = texts.reduce((sum, text) => sum + text.length, 0)
      if (closed) return Promise.reject(new Error('Tokens cannot be counted: the service is stopping.'))
      if (waiting > 0 && waiting + characters > maxWaiting) return Promise.reject(new Error('Too many texts are waiting to be counted.'))
      if (signal.aborted) return Promise.reject(signal.reason)
      lastId += 1
      const id = lastId
      waiting += characters
      return new Promise<readonly number[]>((resolve, reject) => {
        const settle = (): void => {
          stopLimit()
          signal.removeEventListener('abort', onAbort)
          pending.delete(id)
          waiting -= characters
          if (pending.size > 0 || !thread) return
          thread.unref()
          stopIdle = clock.after(idleMs, () => void endThread(undefined))
        }
        const cancel = (error: unknown): void => {
          settle()
          thread?.postMessage({ kind: 'forget', id } satisfies ToTokenThread)
          reject(error)
        }
        const onAbort = (): void => cancel(signal.reason)
        const stopLimit = clock.after(maxCountMs, () => cancel(new Error('Counting took longer than a minute.')))
        signal.addEventListener('abort', onAbort, { once: true })
        pending.set(id, {
          resolve(counts) {
            settle()
            resolve(counts)
          },
          reject(error) {
            settle()
            reject(error)
          },
        })
        const working = threadForWork()
        working.ref()
        working.postMessage({ kind: 'count', id, encoding, texts } satisfies ToTokenThread)
      })
    },
    close() {
      closed = true
      return endThread(new Error('Tokens cannot be counted: the service is stopping.'))
    },
  }
}
