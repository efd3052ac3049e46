import { randomUUID } from 'node:crypto'
import { allOf } from '@agent-service/kernel-core/database/collections'
import { leaseLostError, type ProcessLeases } from '@agent-service/kernel-core/leases'
import type { Disposer, Logger } from '@agent-service/sdk'
import type { Clock } from '@agent-service/sdk/services/clock'
import type { Database } from '@agent-service/sdk/services/database'
import { leaseCollection, processCollection } from './lease-records.js'
import { createProcessWatch } from './process-watch.js'

/** How long a process may rely on its leases after its last heartbeat, in milliseconds. */
const leaseMs = 30_000
/** The interval of heartbeats. */
const renewalMs = 10_000

/**
 * Opens the leases. `processId` is for tests; by default, each start of a process has a new one.
 */
export async function openProcessLeases(dependencies: {
  readonly database: Database
  readonly clock: Clock
  readonly log: Logger
  readonly processId?: string
  /** The versions of the plugins that this process has and that are not switched off, by id. */
  readonly plugins: () => Readonly<Record<string, string>>
}): Promise<ProcessLeases> {
  if (!dependencies.database.shared) return createOwnLeases()
  const heartbeat = await createHeartbeat({ ...dependencies, processId: dependencies.processId ?? randomUUID() })
  return sharedLeases(dependencies.database, heartbeat)
}

/** The leases of a single process. */
const createOwnLeases = (): ProcessLeases => ({
  take: (name) => Promise.resolve({ name, epoch: 1, signal: new AbortController().signal }),
  confirm: () => Promise.resolve(),
  release: () => Promise.resolve(),
  versionsElsewhere: () => Promise.resolve([]),
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
    async versionsElsewhere(pluginId) {
      const versions: string[] = []
      for await (const { id, plugins = {} } of allOf(database.collection(processCollection), { index: 'by_begin' })) {
        const version = Object.hasOwn(plugins, pluginId) ? plugins[pluginId] : undefined
        if (id !== processId && version !== undefined) versions.push(version)
      }
      return versions
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
  readonly plugins: () => Readonly<Record<string, string>>
}): Promise<Heartbeat> {
  const { database, clock, log, processId, plugins } = dependencies
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
    await processes.put({ id: processId, beat, began_at, plugins: plugins() })
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
