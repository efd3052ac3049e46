import type { Worker } from 'node:worker_threads'
import { databaseClosedError, type SearchPage, searchBusyError } from '@agent-service/sdk/contracts/database-driver'
import type { SearchRequest } from './search-sql.js'
import type { SearchData, SearchMessage, SearchReply } from './search-thread.js'
import { searchFailedError, toServiceError } from './sqlite-errors.js'
import type { StartThread } from './threads.js'
import { toWireError } from './wire-error.js'

/** Searches beside everything else, in a thread of their own, one after the other. */
export interface Searcher {
  /**
   * @throws `search_busy` when too many wait, the signal's reason, `database_closed` when it is
   * closed before its turn.
   */
  search(request: SearchRequest, signal: AbortSignal | undefined): Promise<SearchPage>
  /** Waits for the search that is under way. */
  close(): Promise<void>
}

/** Searches that may wait. */
const maximumWaiting = 100

interface Waiting {
  readonly request: SearchRequest
  readonly resolve: (page: SearchPage) => void
  readonly reject: (error: unknown) => void
}

/**
 * Makes it. The thread is started by the first search, and again by the next one after it has died.
 */
export function createSearcher({ file, startThread }: { readonly file: string; readonly startThread: StartThread }): Searcher {
  const waiting: Waiting[] = []
  let running: Waiting | undefined
  let worker: Worker | undefined
  let ended: Promise<void> = Promise.resolve()
  let closed = false

  const start = (): Worker => {
    const data: SearchData = { file }
    const started = startThread('search-thread', data)
    let reason: string | undefined
    started.on('message', (reply: SearchReply) => {
      const answered = running
      running = undefined
      if (reply.kind === 'page') answered?.resolve(reply.page)
      else answered?.reject(toServiceError(reply.error, file, searchFailedError))
      next()
    })
    started.on('error', (error) => {
      reason = toWireError(error).message
    })
    ended = new Promise((resolve) => {
      started.once('exit', (code) => {
        worker = undefined
        running?.reject(searchFailedError.create({ path: file, reason: reason ?? `its thread exited with ${code}` }))
        running = undefined
        resolve()
        next()
      })
    })
    return started
  }

  const next = (): void => {
    if (running) return
    running = waiting.shift()
    if (!running) {
      // An idle thread does not keep the process alive.
      if (!closed) worker?.unref()
      return
    }
    worker ??= start()
    worker.ref()
    worker.postMessage({ kind: 'search', request: running.request } satisfies SearchMessage)
  }

  return {
    async search(request, signal) {
      signal?.throwIfAborted()
      if (waiting.length >= maximumWaiting) throw searchBusyError.create({})
      let onAbort = (): void => undefined
      try {
        return await new Promise((resolve, reject) => {
          const own: Waiting = { request, resolve, reject }
          onAbort = () => {
            const at = waiting.indexOf(own)
            if (at >= 0) waiting.splice(at, 1)
            reject(signal?.reason)
          }
          signal?.addEventListener('abort', onAbort, { once: true })
          waiting.push(own)
          next()
        })
      } finally {
        signal?.removeEventListener('abort', onAbort)
      }
    },
    async close() {
      if (!closed) for (const { reject } of waiting.splice(0)) reject(databaseClosedError.create({}))
      closed = true
      worker?.ref()
      worker?.postMessage({ kind: 'close' } satisfies SearchMessage)
      await ended
    },
  }
}
