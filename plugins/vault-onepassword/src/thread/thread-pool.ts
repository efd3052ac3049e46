import { createLimiter, tooManyWaitingError } from '@agent-service/sdk/async'
import { vaultUnavailableError } from '@agent-service/sdk/contracts/vault-connector'
import type { Clock } from '@agent-service/sdk/services/clock'
import { vault } from './sdk-failure.js'
import type { SdkThread } from './sdk-thread.js'

/** Whose thread it is: one connection with one token. */
export interface ThreadOwner {
  readonly id: string
  /** Of the token. */
  readonly digest: string
  start(): SdkThread
}

/** One thread for each connection in use, so that none can end or read the work of another. */
export interface ThreadPool {
  /** Works with the thread of a connection. Another digest than before replaces it. */
  use<T>(owner: ThreadOwner, signal: AbortSignal, work: (thread: SdkThread) => Promise<T>): Promise<T>
  /** Ends the thread of a connection; what is under way there fails. */
  close(id: string): Promise<void>
  /** Ends all. */
  closeAll(): Promise<void>
  /** How many run. */
  readonly size: number
}

/** Options of {@link createThreadPool}. */
export interface ThreadPoolOptions {
  readonly clock: Pick<Clock, 'after'>
  /** Threads, and calls at the same time: so one of them is free when another is needed. Default 4; each takes about 60 MB. */
  readonly maxThreads?: number
  /** After which a thread without work ends. Default 60,000. */
  readonly idleMs?: number
}

interface Entry {
  readonly id: string
  readonly digest: string
  readonly thread: SdkThread
  users: number
  cancelIdle(): void
}

const maxWaiting = 64

/** Makes an empty pool. */
export function createThreadPool({ clock, maxThreads = 4, idleMs = 60_000 }: ThreadPoolOptions): ThreadPool {
  const calls = createLimiter({ maxConcurrent: maxThreads, maxWaiting })
  // In the order of their last use.
  const entries = new Set<Entry>()

  const end = (entry: Entry): Promise<void> => {
    entry.cancelIdle()
    entries.delete(entry)
    return entry.thread.close()
  }
  const entryFor = ({ id, digest, start }: ThreadOwner): Entry => {
    const present = [...entries].find((entry) => entry.id === id && entry.digest === digest && !entry.thread.isOver)
    const entry = present ?? { id, digest, thread: start(), users: 0, cancelIdle: () => undefined }
    entries.delete(entry)
    for (const other of entries) {
      const isReplaced = other.id === id
      if (other.users === 0 && (isReplaced || other.thread.isOver || entries.size >= maxThreads)) void end(other)
    }
    entries.add(entry)
    return entry
  }
  const leave = (entry: Entry): void => {
    entry.users -= 1
    if (entry.users > 0 || !entries.has(entry)) return
    const isReplaced = [...entries].findLast((other) => other.id === entry.id) !== entry
    if (isReplaced || entry.thread.isOver) return void end(entry)
    const cancel = clock.after(idleMs, () => void end(entry))
    entry.cancelIdle = () => void cancel()
  }

  return {
    get size() {
      return entries.size
    },
    async use(owner, signal, work) {
      const release = await calls.acquire({ signal }).catch((error: unknown) => {
        throw tooManyWaitingError.isInstance(error)
          ? vaultUnavailableError.create({ vault, reason: 'too many calls to it are under way' }, { cause: error, retryAfterSeconds: 5 })
          : error
      })
      const entry = entryFor(owner)
      entry.cancelIdle()
      entry.users += 1
      try {
        return await work(entry.thread)
      } finally {
        leave(entry)
        release()
      }
    },
    async close(id) {
      await Promise.all([...entries].filter((entry) => entry.id === id).map(end))
    },
    async closeAll() {
      await Promise.all([...entries].map(end))
    },
  }
}
