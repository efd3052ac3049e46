import type { Disposer, Logger } from '@agent-service/sdk'
import type { DatabaseConnection, DatabaseHealth } from '@agent-service/sdk/contracts/database-driver'
import type { Clock } from '@agent-service/sdk/services/clock'
import { internalCollectionName } from '../collections/collection-layout.js'

const pollMilliseconds = 1000

/**
 * Checks a connection's health after every commit and once a second. While the storage is full it
 * tries a small write each second, so that the service recovers even if all other writes are
 * refused.
 */
export function createHealthMonitor(dependencies: {
  readonly connection: DatabaseConnection
  readonly clock: Clock
  readonly log: Logger
}) {
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
    if (health.writable) log.info('The database is writable again.')
    else log.error('The database is not writable; reads go on.', { code: health.code, reason: health.reason })
    for (const listener of [...listeners]) {
      try {
        listener(health)
      } catch (error) {
        log.error('A listener for the health of the database failed.', { error })
      }
    }
  }

  const probe = async (): Promise<void> => {
    const body = JSON.stringify({ id: 'probe', at: new Date(clock.now()).toISOString() })
    try {
      await connection.commit({ checks: [], writes: [{ kind: 'put', collection: internalCollectionName, id: 'probe', body, keys: [] }] })
    } catch (error) {
      log.debug('There is still no space for a write.', { error })
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
    health: (): DatabaseHealth => known,
    onChange(listener: (health: DatabaseHealth) => void): Disposer {
      const own = (health: DatabaseHealth): void => listener(health)
      listeners.add(own)
      return () => void listeners.delete(own)
    },
    /** Checks now: after a commit, failed or not. */
    look,
    stop(): void {
      stopped = true
      void cancel()
      listeners.clear()
    },
  }
}

const codeOf = (health: DatabaseHealth): string => (health.writable ? '' : health.code)
