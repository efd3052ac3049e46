import { randomUUID } from 'node:crypto'
import { type Disposer, defineError, type Logger } from '@agent-service/sdk'
import type { Clock } from '@agent-service/sdk/services/clock'
import type { Database, Transaction } from '@agent-service/sdk/services/database'
import type { InjectionToken } from 'tsyringe'
import { leaseCollection, processCollection } from './lease-records.js'
import { createProcessWatch } from './process-watch.js'

/** Another process has, or may have, taken over what this one was doing. */
export const leaseLostError = defineError<{ readonly name: string }>({
  code: 'lease_lost',
  status: 500,
  title: 'Lease lost',
  message: ({ name }) => `This process no longer holds the lease “${name}”: another process of the deployment may have taken it over.`,
})

/** How long a process may count on what it holds after its last sign, in milliseconds. */
const leaseMs = 30_000
/** How often it gives one. */
const renewalMs = 10_000

/** The right of this process to do what only one may do. */
export interface Lease {
  readonly name: string
  /** Grows whenever another process takes over. */
  readonly epoch: number
  /** Aborted when this process could not renew in time, and another may take over from now on. */
  readonly signal: AbortSignal
}

/**
 * What only one process of a deployment does. A process gives signs of life in the store, one write in ten seconds whatever it holds; when its sign stands
 * still for 35 seconds on the clock of another one, that one takes what it held. No clock is compared with another machine's: each measures the time that
 * passes by its own. A process that cannot renew gives up after 30 seconds, before others take over.
 *
 * A store that one process owns costs nothing: every lease is this process's, and nothing is written.
 */
export interface ProcessLeases {
  /**
   * Takes a lease, or renews what this process has: `held` while another process has it. With `occurrence`, for work that is due at certain times: `done`
   * where that one, or a later one, was begun before.
   */
  take(name: string, options?: { readonly occurrence?: number }): Promise<Lease | 'held' | 'done'>
  /** Makes a transaction fail unless the lease still holds at its commit. @throws `lease_lost`. */
  confirm(transaction: Transaction, lease: Lease): Promise<void>
  /** Gives a lease back, where this process has it: another may have it at once. */
  release(name: string): Promise<void>
  /** Gives everything back and stops the signs. May be called again. */
  close(): Promise<void>
}

export const leasesToken: InjectionToken<ProcessLeases> = Symbol('leases')

/** Opens them. `processId` is for tests; each start of a process has its own. */
export async function openProcessLeases(dependencies: {
  readonly database: Database
  readonly clock: Clock
  readonly log: Logger
  readonly processId?: string
}): Promise<ProcessLeases> {
  if (!dependencies.database.shared) return createOwnLeases()
  const signs = await createSigns({ ...dependencies, processId: dependencies.processId ?? randomUUID() })
  return sharedLeases(dependencies.database, signs)
}

/** The leases of a process that is alone. */
export const createOwnLeases = (): ProcessLeases => ({
  take: (name) => Promise.resolve({ name, epoch: 1, signal: new AbortController().signal }),
  confirm: () => Promise.resolve(),
  release: () => Promise.resolve(),
  close: () => Promise.resolve(),
})

function sharedLeases(database: Database, signs: Signs): ProcessLeases {
  const { processId } = signs
  return {
    async take(name, { occurrence } = {}) {
      const signal = signs.alive()
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
    close: () => signs.close(),
  }
}

/** The signs of life of this process. */
interface Signs {
  readonly processId: string
  /** Aborted when the last sign is too old. `undefined` while it is. */
  alive(): AbortSignal | undefined
  close(): Promise<void>
}

async function createSigns(dependencies: {
  readonly database: Database
  readonly clock: Clock
  readonly log: Logger
  readonly processId: string
}): Promise<Signs> {
  const { database, clock, log, processId } = dependencies
  const processes = database.collection(processCollection)
  const watch = createProcessWatch({ database, clock, processId, goneMs: leaseMs + 5_000 })
  const began_at = new Date(clock.now()).toISOString()
  let beat = 0
  let life = new AbortController()
  let stopRenewal: Disposer = () => undefined
  let stopExpiry: Disposer = () => undefined
  let renewing: Promise<void> = Promise.resolve()
  let closed = false

  const expire = (): void => life.abort(new DOMException('This process could not renew its leases in time.', 'AbortError'))

  const sign = async (): Promise<void> => {
    // Counted from before the write: others begin to count when they see it, which is later.
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
      await sign()
      await watch.look()
    } catch (error) {
      log.error('This process could not renew its leases; others may take over what it does.', { error })
    }
    if (!closed) renewLater()
  }
  const renewLater = (): void => {
    stopRenewal = clock.after(renewalMs, () => {
      renewing = renew()
    })
  }

  await sign()
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
