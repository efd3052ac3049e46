import { Worker } from 'node:worker_threads'
import { createLimiter } from '@agent-service/sdk/async'
import type { SearchAnswer, SearchJob, SearchQuery } from './search-protocol.js'

/** A search that is under way, in a thread of its own. */
export interface LineSearch {
  /** Searches one file, one after the other. The bytes are given away. @throws the signal's reason. */
  search(job: SearchJob): Promise<SearchAnswer>
  /** Ends the thread, whatever it is at. */
  end(): Promise<void>
}

/** How many searches run at once; others wait. */
const mostAtOnce = 2
/** How many may wait. */
const mostWaiting = 256

/** Begins searches. */
export interface LineSearches {
  /** Waits for its turn. @throws the signal's reason, also from `search` later on; `too_many_waiting` where the line is full. */
  begin(query: SearchQuery, signal: AbortSignal): Promise<LineSearch>
}

/** Makes them. No thread runs without a search. */
export function createLineSearches(): LineSearches {
  const limiter = createLimiter({ maxConcurrent: mostAtOnce, maxWaiting: mostWaiting })

  return {
    async begin(query, signal) {
      const release = await limiter.acquire({ signal })
      const worker = new Worker(new URL('./search-worker.js', import.meta.url), {
        workerData: query,
        env: {},
        execArgv: [],
        resourceLimits: { maxOldGenerationSizeMb: 128 },
      })
      // What goes wrong is told to whoever waits for an answer.
      worker.on('error', () => undefined)
      let ended = false
      return {
        search: ({ bytes, limit }) => ask(worker, { bytes: new Uint8Array(bytes), limit }, signal),
        async end() {
          if (ended) return
          ended = true
          await worker.terminate()
          release()
        },
      }
    },
  }
}

function ask(
  worker: Worker,
  job: { readonly bytes: Uint8Array<ArrayBuffer>; readonly limit: number },
  signal: AbortSignal,
): Promise<SearchAnswer> {
  return new Promise((resolve, reject) => {
    const settle = (): void => {
      worker.off('message', onMessage).off('error', onError).off('exit', onExit)
      signal.removeEventListener('abort', onAbort)
    }
    const onMessage = (found: SearchAnswer): void => {
      settle()
      resolve(found)
    }
    const fail = (error: unknown): void => {
      settle()
      reject(error)
    }
    const onError = (error: Error): void => fail(error)
    const onExit = (): void => fail(new Error('The thread that searches has ended.'))
    const onAbort = (): void => fail(signal.reason)
    if (signal.aborted) {
      reject(signal.reason)
      return
    }
    worker.on('message', onMessage).on('error', onError).on('exit', onExit)
    signal.addEventListener('abort', onAbort, { once: true })
    worker.postMessage(job, [job.bytes.buffer])
  })
}
