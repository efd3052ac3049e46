import type { Logger } from '@agent-service/sdk'
import type { SchedulerJob } from '@agent-service/sdk/contracts/scheduler-job'
import type { Accounts } from '@agent-service/sdk/services/accounts'
import type { Audit } from '@agent-service/sdk/services/audit'
import type { Clock } from '@agent-service/sdk/services/clock'
import type { Database } from '@agent-service/sdk/services/database'
import type { Slots } from '@agent-service/sdk/services/slots'
import type { MemoryCalls } from '../backend/memory-calls.js'
import type { ChatChoices } from '../chats/chat-choice.js'
import { eraseCopies } from './erase-copies.js'
import { createMigrationGate, type MigrationGate } from './migration-gate.js'
import { createMigrationJob } from './migration-job.js'
import { createMigrationStore, type StoredMigration } from './migration-store.js'
import { createMigrations, type Migrations } from './migrations.js'
import { isReverted, revertedError, runMigration, stepOf } from './run-migration.js'
import { createStandbyBackend } from './standby-backend.js'

/** The move to another back end, in this process. */
export interface OpenMigration {
  readonly gate: MigrationGate
  readonly migrations: Migrations
  readonly job: SchedulerJob
  /** Notes that a user is about to be erased: what a copy under way brings of them afterwards is removed later. */
  beginErasure(userId: string): Promise<void>
  /** Erases copies of a user's memories, and what is known of them. @throws `memory_remains`, the signal's reason. */
  eraseUser(userId: string, signal: AbortSignal): Promise<void>
  /** Whether memories are being copied, as far as this process knows. */
  isMoving(): boolean
}

/**
 * Takes up the migration that is stored, if there is one: if the other back end has come into use,
 * changes of memories wait from here on until they are caught up.
 */
export async function openMigration(dependencies: {
  readonly database: Database
  readonly accounts: Pick<Accounts, 'ids'>
  readonly choices: Pick<ChatChoices, 'decisions'>
  readonly audit: Pick<Audit, 'note'>
  readonly clock: Clock
  readonly log: Logger
  readonly slots: Slots
  readonly inUse: string
  readonly callsOf: (backend: string) => MemoryCalls
  readonly onMoved: () => void
}): Promise<OpenMigration> {
  const { database, clock, slots, inUse, audit, log } = dependencies
  const store = createMigrationStore(database)
  const gate = createMigrationGate({ clock })
  const standby = createStandbyBackend(slots)
  const stored = await store.current()
  if (stored !== undefined && isReverted(stored, inUse)) {
    const { message } = revertedError.create({ from: stored.from, to: stored.to })
    log.warn('A migration of memories was reverted before its end.', { from: stored.from, to: stored.to, message })
    await store.update(stored.run, { error: message })
  }
  let isMoving = stored !== undefined && stepOf(stored, inUse) !== 'wait'
  if (stored !== undefined && stepOf(stored, inUse) === 'finish') gate.close((userId) => isThrough(stored, userId))
  const isThrough = async ({ run }: StoredMigration, userId: string): Promise<boolean> => {
    const user = await store.user(run, userId)
    return user?.phase === 'final' || user?.phase === 'cleaned'
  }
  const run = async (signal: AbortSignal): Promise<boolean> => {
    const isComplete = await runMigration({ ...dependencies, store, standby, gate }, signal)
    const migration = await store.current()
    isMoving = migration !== undefined && migration.state !== 'done'
    return isComplete
  }
  const { job, wake } = createMigrationJob({ run, clock, log })
  const onBegun = (): void => {
    isMoving = true
    wake()
  }
  return {
    gate,
    migrations: createMigrations({ store, standby, inUse, audit, clock, wake: onBegun }),
    job,
    beginErasure: (userId) => store.noteErasure(userId),
    async eraseUser(userId, signal) {
      await eraseCopies({ store, slots, inUse, callsOf: dependencies.callsOf, log }, userId, signal)
      await store.forgetUser(userId)
    },
    isMoving: () => isMoving,
  }
}
