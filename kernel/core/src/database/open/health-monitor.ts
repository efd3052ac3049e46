import type { Disposer, Logger } from '@agent-service/sdk'
import type { DatabaseConnection, DatabaseHealth } from '@agent-service/sdk/contracts/database-driver'
import type { Clock } from '@agent-service/sdk/services/clock'
import { internalCollectionName } from '../collections/internal-collection.js'

const pollMilliseconds = 1000

/** Watches whether the database can be written. */
export interface HealthMonitor {
  health(): DatabaseHealth
  /** Calls back when {@link health} changes. */
  onChange(listener: (health: DatabaseHealth) => void): Disposer
  /** Looks now: after a commit, whatever became of it. */
  look(): void
  stop(): void
}

/**
 * Watches a connection's health: after every commit, and once a second. While there is no room it tries a small write each second, so that the
 * service recovers by itself also when nobody writes because it is known to be full.
 */
export function createHealthMonitor(dependencies: {
  readonly connection: DatabaseConnection
  readonly clock: Clock
  readonly log: Logger
}): HealthMonitor {
  const { connection, clock, log } = dependencies
  const listeners = new Set<(health: DatabaseHealth) => void>()
  let known: DatabaseHealth = connection.health()
  let stopped = false
  let cancel: Disposer = () => undefined

  const look = (): void => {
    if (stopped) return
    const health = connection.health()
    const changed = codeOf(health) !== codeOf(known)
    known = health
    if (!changed) return
    if (health.writable) log.info('The database can be written again.')
    else log.error('The database cannot be written; reading goes on.', { code: health.code, reason: health.reason })
    for (const listener of [...listeners]) {
      try {
        listener(health)
      } catch (error) {
        log.error('A listener to the health of the database failed.', { error })
      }
    }
  }

  const probe = async (): Promise<void> => {
    const body = JSON.stringify({ id: 'probe', at: new Date(clock.now()).toISOString() })
    try {
      await connection.commit({ checks: [], writes: [{ kind: 'put', collection: internalCollectionName, id: 'probe', body, keys: [] }] })
    } catch (error) {
      log.debug('There is still no room for a write.', { error })
    }
  }

  const poll = async (): Promise<void> => {
    look()
    if (!known.writable && known.code === 'storage_full') await probe()
    look()
    arm()
  }
  const arm = (): void => {
    if (!stopped) cancel = clock.after(pollMilliseconds, () => void poll())
  }
  arm()

  return {
    health: () => known,
    onChange(listener) {
      const own = (health: DatabaseHealth): void => listener(health)
      listeners.add(own)
      return () => void listeners.delete(own)
    },
    look,
    stop() {
      stopped = true
      void cancel()
      listeners.clear()
    },
  }
}

const codeOf = (health: DatabaseHealth): string => (health.writable ? '' : health.code)
