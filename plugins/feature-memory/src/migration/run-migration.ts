import { defineError, type Logger, ServiceError } from '@agent-service/sdk'
import type { Accounts } from '@agent-service/sdk/services/accounts'
import type { Audit } from '@agent-service/sdk/services/audit'
import type { Clock } from '@agent-service/sdk/services/clock'
import type { Slots } from '@agent-service/sdk/services/slots'
import type { MemoryCalls } from '../backend/memory-calls.js'
import type { ChatChoices } from '../chats/chat-choice.js'
import { limits } from '../common/limits.js'
import { type CopiedUser, copyUser, type MigrationEnds } from './copy-user.js'
import { settleErasures } from './erase-copies.js'
import { isOfOneUser } from './failures.js'
import type { MigrationGate } from './migration-gate.js'
import type { MigratedUser, MigrationState, MigrationStore, StoredMigration } from './migration-store.js'
import type { StandbyBackend } from './standby-backend.js'

export interface MigrationDependencies {
  readonly store: MigrationStore
  readonly slots: Slots
  readonly standby: StandbyBackend
  readonly gate: MigrationGate
  readonly accounts: Pick<Accounts, 'ids'>
  readonly choices: Pick<ChatChoices, 'decisions'>
  readonly audit: Pick<Audit, 'note'>
  readonly clock: Pick<Clock, 'now'>
  readonly log: Logger
  /** The id of the back end in use. */
  readonly inUse: string
  readonly callsOf: (backend: string) => MemoryCalls
  /** What agents read has another source now. */
  readonly onMoved: () => void
}

const usersPerPage = 100
/** A migration that fails for so many is not worth more attempts. */
const maxFailed = 100

/** What there is to do without a person. */
export type MigrationStep = 'copy' | 'finish' | 'clean' | 'undo' | 'wait'

/** The next step, by the back end that is in use: who changes the setting decides, not the state. */
export function stepOf({ state, from, to }: StoredMigration, inUse: string): MigrationStep {
  if (state === 'done') return 'wait'
  if (to === inUse) return state === 'cleaning' ? 'clean' : 'finish'
  if (from !== inUse) return 'wait'
  if (state === 'copying') return 'copy'
  return state === 'undoing' ? 'undo' : 'wait'
}

/**
 * Whether the setting was changed back after the other back end had come into use. It goes on only
 * when that is in use again: what people have changed there would be lost otherwise.
 */
export const isReverted = ({ state, from }: StoredMigration, inUse: string): boolean =>
  from === inUse && (state === 'finishing' || state === 'cleaning')

/**
 * Does what there is to do, users one after another, until the migration waits for a person or is
 * done. Everything is stored as it is done, so that it goes on after a kill. False: it was
 * interrupted, and is to be called again later.
 */
export async function runMigration(dependencies: MigrationDependencies, signal: AbortSignal): Promise<boolean> {
  const { store, inUse, standby, callsOf, log } = dependencies
  for (;;) {
    try {
      await settleErasures(dependencies, signal)
    } catch (error) {
      signal.throwIfAborted()
      log.warn('Memories of users who are erased are not all removed; it is tried again.', { error })
      return false
    }
    const migration = await store.current()
    const step = migration === undefined ? 'wait' : stepOf(migration, inUse)
    if (migration === undefined || step === 'wait') {
      await standby.stop()
      return true
    }
    try {
      if ((step === 'copy' || step === 'undo') && migration.replaced !== undefined) {
        await removeReplaced(dependencies, migration, migration.replaced, signal)
        continue
      }
      await standby.start(migration.to === inUse ? migration.from : migration.to)
      const ends = { source: callsOf(migration.from), target: callsOf(migration.to) }
      await take(dependencies, { migration, step, ends, signal })
    } catch (error) {
      signal.throwIfAborted()
      if (givenUpError.isInstance(error)) continue
      log.warn('Copying memories is interrupted; it goes on by itself.', { from: migration.from, to: migration.to, error })
      await store.update(migration.run, { error: reasonOf(error), updated_at: now(dependencies) })
      return false
    }
  }
}

/** Empties the back ends of earlier migrations, but for what was left there alone. Begun again after a kill. */
async function removeReplaced(
  { store, standby, accounts, callsOf }: MigrationDependencies,
  { run }: StoredMigration,
  replaced: readonly string[],
  signal: AbortSignal,
): Promise<void> {
  for (const id of replaced) {
    await standby.start(id)
    let cursor: string | undefined
    do {
      const page = await accounts.ids({ limit: usersPerPage, ...(cursor !== undefined && { cursor }) })
      for (const userId of page.ids) {
        signal.throwIfAborted()
        if ((await store.leftIn(userId)) === id) continue
        await callsOf(id).call({ what: 'erase', signal, limitMs: limits.transferMs }, (backend, limited) =>
          backend.erase(userId, { signal: limited }),
        )
      }
      cursor = page.nextCursor
    } while (cursor !== undefined)
  }
  await store.settleReplaced(run)
}

async function take(
  dependencies: MigrationDependencies,
  given: {
    readonly migration: StoredMigration
    readonly step: Exclude<MigrationStep, 'wait'>
    readonly ends: MigrationEnds
    readonly signal: AbortSignal
  },
): Promise<void> {
  const { store, audit, gate, onMoved, log } = dependencies
  const { migration, step, ends, signal } = given
  const { run, from, to } = migration
  const move = (state: MigrationState, change: Partial<StoredMigration> = {}): Promise<boolean> =>
    store.update(run, { state, error: null, updated_at: now(dependencies), ...change }, migration.state)
  const each = (work: (user: UserStep) => Promise<MigratedUser | undefined>): Promise<Progress> =>
    forEachUser(dependencies, migration, signal, (userId) => work({ run, userId, signal }))

  switch (step) {
    case 'copy': {
      const progress = await each((user) => copy(dependencies, ends, user))
      if (progress.failed === 0) await move('ready', progress)
      else await move('failed', { ...progress, error: disagreementError.create({ users: progress.failed }).message })
      return
    }
    case 'finish': {
      // The next round is one in the new state.
      if (migration.state !== 'finishing') return void (await move('finishing'))
      const progress = await each((user) => settle(dependencies, ends, user))
      if (progress.failed > 0) {
        // All others are through: only these wait, until they agree or the migration is given up for them.
        gate.narrow((userId) => passesNarrowGate(store, run, userId))
        onMoved()
        throw disagreementError.create({ users: progress.failed })
      }
      if (!(await move('cleaning', progress))) return
      gate.open()
      onMoved()
      return
    }
    case 'clean': {
      gate.open()
      const { failed } = await each((user) => clean(dependencies, ends.source, user, true))
      const error = failed === 0 ? null : leftError.create({ users: failed, from }).message
      if (!(await move('done', { error }))) return
      log.info('Memories were moved to another back end.', { from, to, users: migration.users, records: migration.records })
      await audit.note({ kind: 'memory.migration_finished', subject: to, details: { from, to, users: migration.users } })
      return
    }
    case 'undo':
      await each((user) => clean(dependencies, ends.target, user, false))
      await store.remove(run)
  }
}

/** Some users' memories are not the same in both back ends. */
export const disagreementError = defineError<{ readonly users: number }>({
  code: 'memory_copies_differ',
  status: 500,
  title: 'Copies of memories differ',
  message: ({ users }) =>
    `The memories of ${users} users could not be copied so that both back ends agree; the log names these users. All others are copied. Begin again, or take the other back end into use without them: their memories then cannot be changed until a later attempt succeeds, or the migration is given up, which leaves theirs in the old back end.`,
})

/** What administrators read of a migration that was reverted. */
export const revertedError = defineError<{ readonly from: string; readonly to: string }>({
  code: 'memory_migration_reverted',
  status: 409,
  title: 'Migration reverted',
  message: ({ from, to }) =>
    `memory.backend is “${from}” again, but “${to}” was in use already. Set it to “${to}” and restart, so that the migration ends; then migrate back.`,
})

const leftError = defineError<{ readonly users: number; readonly from: string }>({
  code: 'memory_left_behind',
  status: 500,
  title: 'Memories left behind',
  message: ({ users, from }) =>
    `The memories of ${users} users could not be copied and are still in “${from}”. They are not removed there, also not by a later migration.`,
})

const givenUpError = defineError<Record<string, never>>({
  code: 'memory_migration_given_up',
  status: 500,
  title: 'Migration given up',
  message: () => 'The migration was given up meanwhile.',
})

interface Progress {
  readonly users: number
  readonly failed: number
  readonly records: number
}

interface UserStep {
  readonly run: string
  readonly userId: string
  readonly signal: AbortSignal
}

/** Copies a user while everything goes on. Memories that go on changing are caught up once nothing changes any more. */
async function copy(dependencies: MigrationDependencies, ends: MigrationEnds, step: UserStep): Promise<MigratedUser | undefined> {
  const { store } = dependencies
  const known = await store.user(step.run, step.userId)
  if (known?.phase === 'copied') return known
  const copied = await attempt(dependencies, ends, step, undefined)
  return markOf(dependencies, step, copied, isFailure(copied) ? 'failed' : 'copied', await store.leftIn(step.userId))
}

/** Catches up what has changed of a user since, and lets the user's changes through. Nothing changes meanwhile. */
async function settle(dependencies: MigrationDependencies, ends: MigrationEnds, step: UserStep): Promise<MigratedUser | undefined> {
  const { store, choices, gate } = dependencies
  const { run, userId, signal } = step
  const known = await store.user(run, userId)
  if (known?.phase === 'final') return known
  // The gate lets those through who have come since; what they have stored must not give way.
  if (known === undefined && gate.isNarrow()) return markOf(dependencies, step, undefined, 'final', undefined)
  const copied = await attempt(dependencies, ends, step, known?.phase === 'copied' ? known.digest : undefined, async () => {
    for await (const { chatId, reason, at } of choices.decisions(userId))
      await ends.target.call({ what: 'chat_changed', signal, limitMs: limits.writeMs }, (backend, limited) =>
        backend.chatChanged({ userId, chatId, agentId: '', spaceId: null, reason, at }, { signal: limited }),
      )
  })
  if (copied?.outcome !== 'copied') return markOf(dependencies, step, copied, 'failed', await store.leftIn(userId))
  const left = await store.leftIn(userId)
  const isMovedNow = left === ends.source.id
  return markOf(dependencies, step, copied, 'final', isMovedNow ? undefined : left)
}

const isFailure = (copied: CopiedUser | undefined): boolean => copied === undefined || copied.outcome === 'differs'

/** Undefined: the memories of this user cannot be copied, while those of others can. @throws what concerns all. */
async function attempt(
  { store, log }: MigrationDependencies,
  ends: MigrationEnds,
  { userId, signal }: UserStep,
  known: string | undefined,
  onCopied: () => Promise<void> = async () => undefined,
): Promise<CopiedUser | undefined> {
  // What was left there when a migration was given up is the only copy.
  if ((await store.leftIn(userId)) === ends.target.id) {
    log.warn('Memories of a user were left in this back end by an earlier migration; they are not replaced.', { user: userId })
    return undefined
  }
  try {
    const copied = await copyUser(ends, { userId, known, signal })
    if (copied.outcome === 'copied') await onCopied()
    if (copied.outcome === 'differs') log.warn('The copy of a user’s memories differs.', { user: userId, records: copied.records })
    return copied
  } catch (error) {
    signal.throwIfAborted()
    if (!(await isOfOneUser(error, ends, signal))) throw error
    log.warn('The memories of a user cannot be copied.', { user: userId, error })
    return undefined
  }
}

async function markOf(
  { store }: MigrationDependencies,
  { run, userId }: UserStep,
  copied: CopiedUser | undefined,
  phase: MigratedUser['phase'],
  left: string | undefined,
): Promise<MigratedUser | undefined> {
  const marked: MigratedUser = {
    ...{ id: userId, user_id: userId, run, phase, digest: copied?.digest ?? '', records: copied?.records ?? 0 },
    ...(left !== undefined && { left_in: left }),
  }
  return (await store.mark(marked)) ? marked : undefined
}

/**
 * Empties a back end of a user: what is forgotten in the other one must not stay in this one. What
 * could not be copied stays; with `leavesFailed` that is also what this migration has failed at.
 */
async function clean(
  dependencies: MigrationDependencies,
  calls: MemoryCalls,
  step: UserStep,
  leavesFailed: boolean,
): Promise<MigratedUser | undefined> {
  const { store } = dependencies
  const { run, userId, signal } = step
  const known = await store.user(run, userId)
  if (known?.phase === 'cleaned') return known
  const mark = { id: userId, user_id: userId, run, digest: '', records: known?.records ?? 0 }
  const left = leavesFailed && known?.phase === 'failed' ? calls.id : await store.leftIn(userId)
  const kept = left === undefined ? mark : { ...mark, left_in: left }
  if (left === calls.id) {
    const failed: MigratedUser = { ...kept, phase: 'failed' }
    return (await store.mark(failed)) ? failed : undefined
  }
  await calls.call({ what: 'erase', signal, limitMs: limits.transferMs }, (backend, limited) => backend.erase(userId, { signal: limited }))
  const cleaned: MigratedUser = { ...kept, phase: 'cleaned' }
  return (await store.mark(cleaned)) ? cleaned : undefined
}

/** Once everyone was seen, those without a mark have come since, and the old back end has nothing of theirs. */
async function passesNarrowGate(store: MigrationStore, run: string, userId: string): Promise<boolean> {
  const known = await store.user(run, userId)
  if (known !== undefined) return known.phase === 'final' || known.phase === 'cleaned'
  return store.mark({ id: userId, user_id: userId, run, phase: 'final', digest: '', records: 0 })
}

/**
 * Does the work for every user, those who wait at the gate first, again until the list of users has
 * no new one, and once more for those who failed. Stores the progress after each page. @throws if
 * the migration was given up.
 */
async function forEachUser(
  dependencies: MigrationDependencies,
  { run, state }: StoredMigration,
  signal: AbortSignal,
  work: (userId: string) => Promise<MigratedUser | undefined>,
): Promise<Progress> {
  const { accounts, gate, store } = dependencies
  const seen = new Set<string>()
  const failed = new Set<string>()
  let records = 0
  const progress = (): Progress => ({ users: seen.size, failed: failed.size, records })
  const visit = async (userId: string): Promise<void> => {
    signal.throwIfAborted()
    const marked = await work(userId)
    if (marked === undefined) throw givenUpError.create({})
    seen.add(userId)
    if (marked.phase === 'failed') failed.add(userId)
    else {
      failed.delete(userId)
      records += marked.records
    }
  }
  const visitNew = async (userId: string): Promise<void> => (seen.has(userId) ? undefined : visit(userId))
  for (let found = -1; found !== seen.size; ) {
    found = seen.size
    let cursor: string | undefined
    do {
      const page = await accounts.ids({ limit: usersPerPage, ...(cursor !== undefined && { cursor }) })
      for (const userId of page.ids) {
        for (let waiting = gate.next(seen); waiting !== undefined; waiting = gate.next(seen)) await visitNew(waiting)
        await visitNew(userId)
      }
      const change = { ...progress(), error: null, updated_at: now(dependencies) }
      if (!(await store.update(run, change, state))) throw givenUpError.create({})
      // Behind the gate each of the others has to get through.
      if (state === 'copying' && failed.size >= maxFailed) return progress()
      cursor = page.nextCursor
    } while (cursor !== undefined)
  }
  for (const userId of [...failed]) await visit(userId)
  const { failed: left } = progress()
  if (!(await store.update(run, { failed: left }, state))) throw givenUpError.create({})
  return progress()
}

const now = ({ clock }: Pick<MigrationDependencies, 'clock'>): string => new Date(clock.now()).toISOString()

/** What administrators read of an error: never what a back end has thrown itself. */
const reasonOf = (error: unknown): string =>
  ServiceError.isInstance(error) ? error.message : 'It was interrupted; the log of the service has the reason.'
