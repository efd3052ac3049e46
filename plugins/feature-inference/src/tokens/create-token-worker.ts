import { Worker } from 'node:worker_threads'
import type { Disposer } from '@agent-service/sdk'
import type { Clock } from '@agent-service/sdk/services/clock'
import type { TokenEncoding } from './token-encoding.js'
import type { FromTokenThread, ToTokenThread } from './token-thread-messages.js'

/** Counts tokens in a thread of its own. */
export interface TokenWorker {
  /** Whether the thread runs just now. */
  readonly running: boolean
  /**
   * The tokens of each text, in order. @throws where the thread fails, is closed, is too busy, or takes longer than a minute; an abort throws the
   * signal's reason.
   */
  count(encoding: TokenEncoding, texts: readonly string[], signal: AbortSignal): Promise<readonly number[]>
  /** Ends the thread. What is being counted fails. May be called again. */
  close(): Promise<void>
}

/** The thread is ended after so long without work. */
const idleMs = 60_000
/** The longest that one count may take, waiting for others included. */
const countLimitMs = 60_000
/** How many characters may wait. */
const maxWaiting = 32 * 1024 * 1024

interface PendingCount {
  resolve(counts: readonly number[]): void
  reject(error: unknown): void
}

/** Makes the worker. The thread starts with the first count and keeps the process alive only while it counts. */
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
    const gone = (error: unknown): void => {
      if (thread === started) void endThread(error)
    }
    started.on('error', gone)
    started.on('exit', () => gone(new Error('The thread that counts tokens has ended.')))
    thread = started
    return started
  }

  return {
    get running() {
      return thread !== undefined
    },
    count(encoding, texts, signal) {
      const characters = texts.reduce((sum, text) => sum + text.length, 0)
      if (closed) return Promise.reject(new Error('Tokens are no longer counted: the service stops.'))
      if (waiting > 0 && waiting + characters > maxWaiting) return Promise.reject(new Error('Too many texts wait to be counted.'))
      if (signal.aborted) return Promise.reject(signal.reason)
      lastId += 1
      const id = lastId
      waiting += characters
      return new Promise<readonly number[]>((resolve, reject) => {
        const settle = (): void => {
          stopLimit()
          signal.removeEventListener('abort', aborted)
          pending.delete(id)
          waiting -= characters
          if (pending.size > 0 || !thread) return
          thread.unref()
          stopIdle = clock.after(idleMs, () => void endThread(undefined))
        }
        const giveUp = (error: unknown): void => {
          settle()
          thread?.postMessage({ kind: 'forget', id } satisfies ToTokenThread)
          reject(error)
        }
        const aborted = (): void => giveUp(signal.reason)
        const stopLimit = clock.after(countLimitMs, () => giveUp(new Error('Counting took longer than a minute.')))
        signal.addEventListener('abort', aborted, { once: true })
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
      return endThread(new Error('Tokens are no longer counted: the service stops.'))
    },
  }
}
