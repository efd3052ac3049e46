import { setImmediate } from 'node:timers/promises'
import { type CommitBatch, type CommitResult, type DatabaseHealth, databaseClosedError } from '@agent-service/sdk/contracts/database-driver'
import { applyBatch } from './apply-batch.js'
import type { StoreState } from './collection-state.js'
import { isStorageFull, toWriteError } from './lowdb-errors.js'
import { UncertainChange } from './synced-folder.js'

/**
 * Everything that writes, in the order of the calls. What arrives while files are written makes the
 * next group.
 */
export interface WriteQueue {
  /** The newest durable state. */
  state(): StoreState
  commit(batch: CommitBatch): Promise<CommitResult>
  /** A change of another kind than documents. The same state back: nothing to write. */
  change(make: (state: StoreState) => StoreState): Promise<void>
  health(): DatabaseHealth
  /** Resolves when everything that was accepted has ended. */
  drain(): Promise<void>
}

/** Dependencies of a queue. */
export interface WriteQueueOptions {
  readonly path: string
  readonly initial: StoreState
  /** Makes a state durable, or leaves the files as they were. */
  readonly write: (state: StoreState) => Promise<void>
  readonly probe: () => Promise<void>
}

/** How often room is looked for while the disk is full, in milliseconds. */
const probeInterval = 500
/** How long a group may be computed before other work gets its turn, in milliseconds. */
const sliceMs = 8

interface Item {
  /** Returns the next state. Its result is held back until that state is durable. */
  readonly apply: (state: StoreState) => StoreState
  readonly resolve: () => void
  readonly reject: (error: unknown) => void
}

/** Makes the queue of a connection. */
export function createWriteQueue({ path, initial, write, probe }: WriteQueueOptions): WriteQueue {
  let durable = initial
  let pending: Item[] = []
  let running = false
  let last: Promise<void> = Promise.resolve()
  let health: DatabaseHealth = { writable: true }
  let uncertain: Error | undefined
  let closed = false
  let timer: NodeJS.Timeout | undefined

  const run = async (): Promise<void> => {
    await setImmediate()
    while (pending.length > 0) {
      const group = pending
      pending = []
      if (!(await writeGroup(group))) for (const item of group) await writeGroup([item])
    }
    running = false
  }

  /** False if the group as a whole could not be written and each should be tried by itself. */
  const writeGroup = async (group: readonly Item[]): Promise<boolean> => {
    if (uncertain) {
      for (const { reject } of group) reject(uncertain)
      return true
    }
    let state = durable
    const applied: Item[] = []
    const refused: (readonly [Item, unknown])[] = []
    let end = performance.now() + sliceMs
    for (const item of group) {
      try {
        state = item.apply(state)
        applied.push(item)
      } catch (error) {
        refused.push([item, error])
      }
      if (performance.now() < end) continue
      await setImmediate()
      end = performance.now() + sliceMs
    }
    try {
      if (state !== durable) {
        await write(state)
        recovered()
      }
    } catch (error) {
      if (applied.length > 1 && !(error instanceof UncertainChange)) return false
      failed(error)
      for (const [{ reject }, own] of refused) reject(own)
      for (const { reject } of applied) reject(toWriteError(error, path))
      return true
    }
    durable = state
    for (const [{ reject }, error] of refused) reject(error)
    for (const { resolve } of applied) resolve()
    return true
  }

  const failed = (error: unknown): void => {
    if (error instanceof UncertainChange) {
      uncertain = toWriteError(error, path)
      health = {
        writable: false,
        code: 'unreachable',
        reason: `${error.message}; the last write is uncertain, so the service must be restarted`,
      }
    } else if (isStorageFull(error)) {
      health = { writable: false, code: 'storage_full', reason: error instanceof Error ? error.message : String(error) }
      lookForRoom()
    }
  }

  const recovered = (): void => {
    if (uncertain) return
    health = { writable: true }
    clearTimeout(timer)
    timer = undefined
  }

  const lookForRoom = (): void => {
    if (timer || closed) return
    timer = setTimeout(() => {
      timer = undefined
      probe().then(recovered, lookForRoom)
    }, probeInterval)
    timer.unref()
  }

  const enqueue = (item: Item): void => {
    if (closed) item.reject(databaseClosedError.create({}))
    else pending.push(item)
    if (running) return
    running = true
    last = run()
  }

  return {
    state: () => durable,
    commit: (batch) =>
      new Promise((resolve, reject) => {
        let result: CommitResult | undefined
        enqueue({
          apply(state) {
            const applied = applyBatch(state, batch)
            result = applied.result
            return applied.state
          },
          resolve: () => result && resolve(result),
          reject,
        })
      }),
    change: (make) => new Promise((resolve, reject) => enqueue({ apply: make, resolve, reject })),
    health: () => health,
    async drain() {
      closed = true
      clearTimeout(timer)
      await last
    },
  }
}
