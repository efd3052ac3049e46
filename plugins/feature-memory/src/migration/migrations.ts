import { randomUUID } from 'node:crypto'
import type { Audit } from '@agent-service/sdk/services/audit'
import type { Clock } from '@agent-service/sdk/services/clock'
import { migrationRefusedError } from '../common/errors.js'
import type { MigrationStore, StoredMigration } from './migration-store.js'
import { disagreementError, revertedError } from './run-migration.js'
import type { StandbyBackend } from './standby-backend.js'

/** What administrators do about the move to another back end. */
export interface Migrations {
  current(): Promise<StoredMigration | undefined>
  /**
   * Begins to copy everyone's memories, or begins again after a failure. @throws
   * `memory_migration_refused`, `slot_standby_refused`.
   */
  begin(to: string, userId: string): Promise<StoredMigration>
  /** Gives it up; what was copied is removed. @throws `memory_migration_refused` if there is none. */
  giveUp(): Promise<void>
}

export function createMigrations(dependencies: {
  readonly store: MigrationStore
  readonly standby: StandbyBackend
  readonly inUse: string
  readonly audit: Pick<Audit, 'note'>
  readonly clock: Pick<Clock, 'now'>
  /** Has the job look at once. */
  readonly wake: () => void
}): Migrations {
  const { store, standby, inUse, audit, clock, wake } = dependencies
  const now = (): string => new Date(clock.now()).toISOString()
  const refused = (reason: string) => migrationRefusedError.create({ reason })

  return {
    current: () => store.current(),
    async begin(to, userId) {
      if (to === inUse) throw refused(`“${to}” is in use already`)
      const present = await store.current()
      if (present !== undefined && !mayReplace(present)) throw refused(underWay(present))
      // It must be able to run before anything is stored.
      await standby.start(to)
      const migration: StoredMigration = {
        ...{ id: 'current', run: randomUUID(), from: inUse, to, state: 'copying', started_by: userId },
        ...{ started_at: now(), updated_at: now(), users: 0, failed: 0, records: 0, error: null },
      }
      const begun = await store.begin(migration, mayReplace)
      if (begun === undefined) throw refused('another one has begun just now')
      await audit.note({ kind: 'memory.migration_started', subject: to, details: { from: inUse, to } })
      wake()
      return begun
    },
    async giveUp() {
      const present = await store.current()
      if (present === undefined || present.state === 'done') throw refused('there is none')
      const { run, from, to, state } = present
      // All others are settled then: these users go on in the new back end, and theirs stay in the old one.
      const isSettled = present.failed > 0 && present.error === disagreementError.create({ users: present.failed }).message
      if (to === inUse && state === 'finishing' && isSettled) {
        if (!(await store.update(run, { state: 'cleaning', error: null, updated_at: now() }, 'finishing')))
          throw refused('it has gone on meanwhile')
        await audit.note({ kind: 'memory.migration_given_up', subject: to, details: { from, to, state } })
        wake()
        return
      }
      if (to === inUse && state !== 'failed')
        throw refused(`“${to}” is in use already, and the rest is being caught up. Migrate back to “${from}” afterwards`)
      // The old back end may be empty already for some.
      if (state === 'cleaning') throw revertedError.create({ from, to })
      if (from === inUse) await store.update(run, { state: 'undoing', error: null, updated_at: now() })
      else await store.remove(run)
      await audit.note({ kind: 'memory.migration_given_up', subject: to, details: { from, to, state } })
      wake()
    },
  }
}

const mayReplace = ({ state }: StoredMigration): boolean => state === 'done' || state === 'failed' || state === 'ready'

const underWay = ({ from, to, state }: StoredMigration): string =>
  `one from “${from}” to “${to}” is under way (${state}); wait for it, or give it up first`
