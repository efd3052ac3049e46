import type { Disposer } from '@agent-service/sdk'
import { createInTurns, settlesWithin } from '@agent-service/sdk/async'
import { channels } from '@agent-service/sdk/contracts/channel'
import type { ChannelParts } from '../parts/channel-parts.js'
import { type Connection, connectionCollection } from '../store/connection.js'
import { createLeaseKeeper } from './lease-keeper.js'
import type { OpenSession } from './open-session.js'
import type { HostFactory } from './run-session.js'
import { showPresence } from './show-presence.js'
import { supervise } from './supervise.js'

/** How long calls in flight may take before their session is closed, in milliseconds. */
const graceMs = 3_000
/** How long the supervision of a connection may take to end, in milliseconds. */
const endMs = 10_000
/** After a fault of this service the supervision begins again, in milliseconds. */
const restartMs = 30_000

/** The connections that this process looks after. */
export interface SessionManager {
  /** Begins with every enabled connection. */
  begin(): Promise<void>
  /** A connection was made, changed, switched or deleted. */
  refresh(connectionId: string): Promise<void>
  /** The open session of a connection; `undefined` while there is none in this process. */
  find(connectionId: string): OpenSession | undefined
  counts(): Readonly<Record<string, number>>
  /** Closes every session. The next process begins where this one ends. */
  end(): Promise<void>
}

interface Supervised {
  readonly generation: number
  readonly ending: AbortController
  readonly done: Promise<void>
}

export function createSessionManager(dependencies: {
  readonly parts: ChannelParts
  readonly hostOf: HostFactory
  /** How often other processes' changes are looked for, in milliseconds. */
  readonly pollMs: number
  /** A connection of this process may have work: it was taken up, or its session has opened. */
  readonly onWork: (connectionId: string) => void
  /** A connection is no longer looked after here. */
  readonly onGone: (connectionId: string) => Promise<void>
}): SessionManager {
  const { parts, hostOf, pollMs, onWork, onGone } = dependencies
  const { database, clock, log } = parts
  const leases = createLeaseKeeper(parts)
  const supervised = new Map<string, Supervised>()
  const open = new Map<string, OpenSession>()
  const turns = createInTurns()
  let stopPoll: Disposer = () => undefined
  let isEnding = false

  const opened = (session: OpenSession): (() => void) => {
    const { id } = session.connection
    open.set(id, session)
    onWork(id)
    return () => {
      if (open.get(id) === session) open.delete(id)
    }
  }
  const superviseAll = async (connection: Connection, signal: AbortSignal): Promise<void> => {
    for (;;) {
      try {
        await supervise({ parts, hostOf, opened, leases }, connection, signal)
        return
      } catch (error) {
        if (signal.aborted) return
        log.error('A channel could not be looked after; it begins again soon.', { connection: connection.id, error })
        await clock.wait(restartMs, { signal }).catch(() => undefined)
      }
    }
  }
  const stop = async (id: string, entry: Supervised): Promise<void> => {
    // What is on its way arrives, if it is quick.
    const gone = onGone(id)
    await settlesWithin(gone, { limitMs: graceMs })
    const session = open.get(id)
    if (session) await showPresence(session, 'away', log)
    entry.ending.abort(new Error('The connection was changed, or the service stops.'))
    if (!(await settlesWithin(entry.done, { limitMs: endMs }))) log.warn('A channel did not end its session in time.', { connection: id })
    supervised.delete(id)
    await gone
    await leases.release(id)
  }
  const refresh = (id: string): Promise<void> =>
    turns.run(id, async () => {
      const connection = await database.collection(connectionCollection).get(id)
      const present = supervised.get(id)
      if (present && connection?.enabled === true && connection.generation === present.generation) return onWork(id)
      if (present) await stop(id, present)
      if (!connection?.enabled || isEnding) return
      const ending = new AbortController()
      supervised.set(id, { generation: connection.generation, ending, done: superviseAll(connection, ending.signal) })
      onWork(id)
    })
  const refreshAll = async (): Promise<void> => {
    const seen = new Set<string>()
    let cursor: string | undefined
    do {
      const page = await database
        .collection(connectionCollection)
        .query({ index: 'by_enabled', equals: [true], limit: 200, ...(cursor !== undefined && { cursor }) })
      for (const { id } of page.items) {
        if (isEnding) return
        seen.add(id)
        await refresh(id)
      }
      cursor = page.nextCursor
    } while (cursor !== undefined)
    for (const id of supervised.keys()) if (!seen.has(id)) await refresh(id)
  }
  const poll = (): void => {
    stopPoll = clock.after(pollMs, () => {
      void refreshAll()
        .catch((error: unknown) => {
          if (!isEnding) log.error('Connections to channels could not be looked for; the next poll tries again.', { error })
        })
        .finally(() => {
          if (!isEnding) poll()
        })
    })
  }
  return {
    async begin() {
      await parts.contributions.settled(channels)
      if (isEnding) return
      try {
        await refreshAll()
      } finally {
        if (!isEnding) poll()
      }
    },
    refresh,
    find: (id) => open.get(id),
    counts: () => ({ connected: open.size, other: Math.max(0, supervised.size - open.size) }),
    async end() {
      isEnding = true
      void stopPoll()
      await Promise.all([...supervised].map(([id, entry]) => turns.run(id, () => stop(id, entry))))
    },
  }
}
