import { randomUUID } from 'node:crypto'
import { type Disposer, defineError, type Logger } from '@agent-service/sdk'
import type { Clock } from '@agent-service/sdk/services/clock'
import type { Database, Transaction } from '@agent-service/sdk/services/database'
import type { InjectionToken } from 'tsyringe'
import { leaseCollection, processCollection } from './lease-records.js'
import { createProcessWatch } from './process-watch.js'

/** Another process has taken over a lease of this one, or may have. */
export const leaseLostError = defineError<{ readonly name: string }>({
  code: 'lease_lost',
  status: 500,
  title: 'Lease lost',
  message: ({ name }) => `This process no longer holds the lease “${name}”: another process of the deployment may have taken it over.`,
})

/** How long a process may rely on its leases after its last heartbeat, in milliseconds. */
const leaseMs = 30_000
/** The interval of heartbeats. */
const renewalMs = 10_000

/** The right of this process to do what only one process may do. */
export interface Lease {
  readonly name: string
  /** Grows whenever another process takes over. */
  readonly epoch: number
  /**
   * Aborted if this process could not renew its leases in time: from then on, another may take
   * over.
   */
  readonly signal: AbortSignal
}

/**
 * Leases for work that only one process of a deployment may do. Each process writes a heartbeat to
 * the store every ten seconds, however many leases it holds. If another process sees no new
 * heartbeat for 35 seconds, it frees the leases. Clocks of different machines are never compared:
 * each process measures the elapsed time by its own. A process that cannot renew gives up after 30
 * seconds, before others take over.
 *
 * If the store belongs to one process, all leases are free and nothing is written.
 */
export interface ProcessLeases {
  /**
   * Takes a lease, or renews one of this process; `held` if another process holds it. With
   * `occurrence`, for scheduled work: `done` if that occurrence or a later one was already begun.
   */
  take(name: string, options?: { readonly occurrence?: number }): Promise<Lease | 'held' | 'done'>
  /**
   * Makes a transaction fail unless this process still holds the lease at its commit. @throws
   * `lease_lost`
   */
  confirm(transaction: Transaction, lease: Lease): Promise<void>
  /** Releases a lease if this process holds it: another process can take it at once. */
  release(name: string): Promise<void>
  /** Releases all leases and stops the heartbeat. May be called again. */
  close(): Promise<void>
}

export const leasesToken: InjectionToken<ProcessLeases> = Symbol('leases')

/**
 * Opens the leases. `processId` is for tests; by default, each start of a process has a new one.
 */
export async function openProcessLeases(dependencies: {
  readonly database: Database
  readonly clock: Clock
  readonly log: Logger
  readonly processId?: string
}): Promise<ProcessLeases> {
  if (!dependencies.database.shared) return createOwnLeases()
  const heartbeat = await createHeartbeat({ ...dependencies, processId: dependencies.processId ?? randomUUID() })
  return sharedLeases(dependencies.database, heartbeat)
}

/** The leases of a single process. */
export const createOwnLeases = (): ProcessLeases => ({
  take: (name) => Promise.resolve({ name, epoch: 1, signal: new AbortController().signal }),
  confirm: () => Promise.resolve(),
  release: () => Promise.resolve(),
  close: () => Promise.resolve(),
})

function sharedLeases(database: Database, heartbeat: Heartbeat): ProcessLeases {
  const { processId } = heartbeat
  return {
    async take(name, { occurrence } = {}) {
      const signal = heartbeat.alive()
      if (!signal) return 'held'
      const taken = await database.transaction(async (transaction) => {
        const known = await transaction.get(leaseCollection, name)
        if (known && occurrence !== undefined && (known.occurrence ?? Number.NEGATIVE_INFINITY) >= occurrence) return 'done'
        const mine = known?.holder === processId
        const held = known && known.holder !== null && !mine && (await transaction.get(processCollection, known.holder))
        if (held) return 'held'
        const epoch = mine ? known.epoch : (known?.epoch ?? 0) + 1
        const begun = occurrence ?? known?.occurrence ?? null
        if (!mine || begun !== known.occurrence) transaction.put(leaseCollection, { id: name, holder: processId, epoch, occurrence: begun })
        return epoch
      })
      return typeof taken === 'number' ? { name, epoch: taken, signal } : taken
    },
    async confirm(transaction, { name, epoch, signal }) {
      const known = await transaction.get(leaseCollection, name)
      if (signal.aborted || known?.holder !== processId || known.epoch !== epoch) throw leaseLostError.create({ name })
    },
    async release(name) {
      await database.transaction(async (transaction) => {
        const known = await transaction.get(leaseCollection, name)
        if (known?.holder === processId) transaction.put(leaseCollection, { ...known, holder: null })
      })
    },
    close: () => heartbeat.close(),
  }
}

/** The heartbeat of this process. */
interface Heartbeat {
  readonly processId: string
  /** A signal that is aborted when the last heartbeat is too old; `undefined` while it is. */
  alive(): AbortSignal | undefined
  close(): Promise<void>
}

async function createHeartbeat(dependencies: {
  readonly database: Database
  readonly clock: Clock
  readonly log: Logger
  readonly processId: string
}): Promise<Heartbeat> {
  const { database, clock, log, processId } = dependencies
  const processes = database.collection(processCollection)
  const watch = createProcessWatch({ database, clock, processId, expiryMs: leaseMs + 5_000 })
  const began_at = new Date(clock.now()).toISOString()
  let beat = 0
  let life = new AbortController()
  let stopRenewal: Disposer = () => undefined
  let stopExpiry: Disposer = () => undefined
  let renewing: Promise<void> = Promise.resolve()
  let closed = false

  const expire = (): void => life.abort(new DOMException('This process could not renew its leases in time.', 'AbortError'))

  const beatOnce = async (): Promise<void> => {
    // Counted from before the write; other processes count from when they see it, which is later.
    const from = clock.monotonic()
    beat += 1
    await processes.put({ id: processId, beat, began_at })
    const left = from + leaseMs - clock.monotonic()
    if (left <= 0 || closed) return
    if (life.signal.aborted) life = new AbortController()
    void stopExpiry()
    stopExpiry = clock.after(left, expire)
  }
  const renew = async (): Promise<void> => {
    try {
      await beatOnce()
      await watch.look()
    } catch (error) {
      log.error('This process could not renew its leases; other processes may take them over.', { error })
    }
    if (!closed) renewLater()
  }
  const renewLater = (): void => {
    stopRenewal = clock.after(renewalMs, () => {
      renewing = renew()
    })
  }

  await beatOnce()
  await watch.look()
  renewLater()
  return {
    processId,
    alive: () => (life.signal.aborted || closed ? undefined : life.signal),
    async close() {
      if (closed) return
      closed = true
      void stopRenewal()
      void stopExpiry()
      await renewing
      expire()
      await processes.delete(processId)
    },
  }
}
