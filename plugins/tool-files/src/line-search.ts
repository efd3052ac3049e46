import { Worker } from 'node:worker_threads'
import { defineError } from '@agent-service/sdk'
import type { LimitDefinition, Quotas } from '@agent-service/sdk/services/quotas'
import type { SearchAnswer, SearchBeginning, SearchJob, SearchQuery } from './search-protocol.js'

/** A search in progress, in its own thread. */
export interface LineSearch {
  /**
   * Searches one file; one call at a time. The bytes are transferred. @throws the signal's reason.
   */
  search(job: SearchJob): Promise<SearchAnswer>
  /** Ends the thread, even while it is searching. */
  end(): Promise<void>
}

/** A query that cannot be searched for. The message is for the model that wrote it. */
export const queryUnusableError = defineError<{ readonly reason: string }>({
  code: 'query_unusable',
  status: 422,
  title: 'Query unusable',
  message: ({ reason }) => reason,
})

/** How long a search waits for its turn. */
export const maxWaitMs = 20_000

/** One search per user at a time, two in total: each has a thread. */
const searchLimit: LimitDefinition = {
  name: 'workspace-searches',
  counts: 'searches in workspaces',
  maxPerHolder: 1,
  maxTotal: 2,
  waiting: { maxPerHolder: 16, maxTotal: 256, maxMs: maxWaitMs },
}

/** Whose search it is, and its signal. */
export interface SearchOptions {
  readonly userId: string
  readonly signal: AbortSignal
}

/** Starts searches. */
export interface LineSearches {
  /**
   * Starts a search when it is the user's turn. @throws `query_unusable`; `limit_reached` and
   * `overloaded` if it waited too long or too many are waiting; the reason of the signal, also from
   * `search` later on.
   */
  begin(query: SearchQuery, options: SearchOptions): Promise<LineSearch>
}

/** No thread runs without a search. */
export function createLineSearches(quotas: Quotas): LineSearches {
  const limit = quotas.limit(searchLimit)

  return {
    async begin(query, { userId, signal }) {
      const hold = await limit.acquire(`user:${userId}`, 1, { signal })
      const worker = new Worker(new URL('./search-worker.js', import.meta.url), {
        workerData: query,
        env: {},
        execArgv: [],
        resourceLimits: { maxOldGenerationSizeMb: 128 },
      })
      // `nextFrom` reports errors to the caller that waits for an answer.
      worker.on('error', () => undefined)
      let ended = false
      const search: LineSearch = {
        search: ({ bytes, limit }) => {
          const given = new Uint8Array(bytes)
          return nextFrom<SearchAnswer>(worker, signal, () => worker.postMessage({ bytes: given, limit }, [given.buffer]))
        },
        async end() {
          if (ended) return
          ended = true
          await worker.terminate()
          hold.release()
        },
      }
      try {
        const { problem } = await nextFrom<SearchBeginning>(worker, signal)
        if (problem !== undefined) throw queryUnusableError.create({ reason: problem })
        return search
      } catch (error) {
        await search.end()
        throw error
      }
    },
  }
}

/** The thread's next message after `ask`. @throws the signal's reason, or why the thread ended. */
function nextFrom<Message>(worker: Worker, signal: AbortSignal, ask: () => void = () => undefined): Promise<Message> {
  return new Promise((resolve, reject) => {
    const settle = (): void => {
      worker.off('message', onMessage).off('error', onError).off('exit', onExit)
      signal.removeEventListener('abort', onAbort)
    }
    const onMessage = (message: Message): void => {
      settle()
      resolve(message)
    }
    const fail = (error: unknown): void => {
      settle()
      reject(error)
    }
    const onError = (error: Error & { readonly code?: unknown }): void => fail(isOutOfMemory(error) ? tooComplex() : error)
    const onExit = (): void => fail(new Error('The thread that searches has ended.'))
    const onAbort = (): void => fail(signal.reason)
    if (signal.aborted) {
      reject(signal.reason)
      return
    }
    worker.on('message', onMessage).on('error', onError).on('exit', onExit)
    signal.addEventListener('abort', onAbort, { once: true })
    ask()
  })
}

const isOutOfMemory = ({ code }: { readonly code?: unknown }): boolean => code === 'ERR_WORKER_OUT_OF_MEMORY'

const tooComplex = (): Error =>
  queryUnusableError.create({
    reason: 'The search took more memory than one search may take. Make the expression shorter, with smaller repetitions.',
  })
