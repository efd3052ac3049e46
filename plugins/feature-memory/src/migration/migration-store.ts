import { type Database, defineCollection, documentsOf } from '@agent-service/sdk/services/database'

/**
 * `copying`: users are copied while everything goes on. `ready`: all are, and the setting can be
 * changed. `finishing`: the other back end is in use, and what has changed since is caught up.
 * `cleaning`: the old one is emptied. `undoing`: it was given up, and what was copied is removed.
 * `failed`: some users could not be copied.
 */
export const migrationStates = ['copying', 'ready', 'finishing', 'cleaning', 'undoing', 'done', 'failed'] as const
export type MigrationState = (typeof migrationStates)[number]

/** A migration from one back end to another. There is one at a time. */
export interface StoredMigration {
  readonly id: 'current'
  /** Distinguishes it from earlier ones. */
  readonly run: string
  readonly from: string
  readonly to: string
  readonly state: MigrationState
  /** The administrator who began it. */
  readonly started_by: string
  readonly started_at: string
  readonly updated_at: string
  readonly users: number
  readonly failed: number
  readonly records: number
  /** Back ends with copies of earlier migrations that this one has taken the place of: they are emptied first. */
  readonly replaced?: readonly string[]
  /** Why it does not go on, for administrators; null: it does. */
  readonly error: string | null
}

export const migrationCollection = defineCollection<StoredMigration>()({ name: 'memory.migrations', version: 1, indexes: {} })

/** What was done for a user. */
export interface MigratedUser {
  /** The user's. */
  readonly id: string
  readonly user_id: string
  /** Of which migration. */
  readonly run: string
  /** `copied`: until the digest. `final`: the other back end counts from now on. `cleaned`: what had to be emptied is empty. */
  readonly phase: 'copied' | 'final' | 'cleaned' | 'failed'
  /** Of the old back end's export, as it was copied. */
  readonly digest: string
  readonly records: number
  /** The back end that still has this user's memories alone, since a migration was given up for them. */
  readonly left_in?: string
}

export const migratedUserCollection = defineCollection<MigratedUser>()({
  name: 'memory.migrated_users',
  version: 1,
  userField: 'user_id',
  indexes: { by_user: { fields: ['user_id'] } },
})

/**
 * A user who was erased while a migration was under way: what a copy under way has brought since is
 * removed. It outlives the user, so it is no data of theirs, and goes as soon as that is done.
 */
export interface LateErasure {
  /** The user's. */
  readonly id: string
  /** The back ends that may have something since. */
  readonly backends: readonly string[]
}

export const lateErasureCollection = defineCollection<LateErasure>()({
  name: 'memory.late_erasures',
  version: 1,
  indexes: { by_id: { fields: ['id'] } },
})

/** The state of the migration, over restarts. */
export interface MigrationStore {
  current(): Promise<StoredMigration | undefined>
  /** Stores a new one. Undefined, and nothing is stored, while `mayReplace` refuses the present one. */
  begin(migration: StoredMigration, mayReplace: (present: StoredMigration) => boolean): Promise<StoredMigration | undefined>
  /** Changes the migration of this run; false if it is not the current one any more, or not in this state. */
  update(run: string, change: Partial<Omit<StoredMigration, 'id' | 'run'>>, expected?: MigrationState): Promise<boolean>
  /** The copies of earlier migrations are removed. */
  settleReplaced(run: string): Promise<void>
  /** Forgets the migration of this run. */
  remove(run: string): Promise<void>
  user(run: string, userId: string): Promise<MigratedUser | undefined>
  /** Keeps what was done for a user. False, and nothing is kept, if the run is not the current one any more. */
  mark(user: MigratedUser): Promise<boolean>
  /** The back end in which an earlier migration has left this user's memories. */
  leftIn(userId: string): Promise<string | undefined>
  forgetUser(userId: string): Promise<void>
  /** Notes that a user is erased, before anything of theirs is, if there is a migration under way. */
  noteErasure(userId: string): Promise<void>
  /** Users who were erased while a migration was under way. */
  lateErasures(): AsyncIterable<LateErasure>
  settleErasure(userId: string): Promise<void>
}

export function createMigrationStore(database: Database): MigrationStore {
  const migrations = database.collection(migrationCollection)
  const users = database.collection(migratedUserCollection)
  return {
    current: () => migrations.get('current'),
    begin: (migration, mayReplace) =>
      database.transaction(async (transaction) => {
        const present = await transaction.get(migrationCollection, 'current')
        if (present !== undefined && !mayReplace(present)) return undefined
        const begun = withReplaced(migration, present)
        transaction.put(migrationCollection, begun)
        return begun
      }),
    update: (run, change, expected) =>
      database.transaction(async (transaction) => {
        const stored = await transaction.get(migrationCollection, 'current')
        if (stored?.run !== run || (expected !== undefined && stored.state !== expected)) return false
        transaction.put(migrationCollection, { ...stored, ...change })
        return true
      }),
    settleReplaced: (run) =>
      database.transaction(async (transaction) => {
        const stored = await transaction.get(migrationCollection, 'current')
        if (stored?.run !== run) return
        const { replaced: _, ...settled } = stored
        transaction.put(migrationCollection, settled)
      }),
    remove: (run) =>
      database.transaction(async (transaction) => {
        const stored = await transaction.get(migrationCollection, 'current')
        if (stored?.run === run) transaction.delete(migrationCollection, 'current')
      }),
    async user(run, userId) {
      const stored = await users.get(userId)
      return stored?.run === run ? stored : undefined
    },
    mark: (user) =>
      database.transaction(async (transaction) => {
        if ((await transaction.get(migrationCollection, 'current'))?.run !== user.run) return false
        transaction.put(migratedUserCollection, user)
        return true
      }),
    leftIn: async (userId) => (await users.get(userId))?.left_in,
    forgetUser: async (userId) => void (await users.delete(userId)),
    noteErasure: (userId) =>
      database.transaction(async (transaction) => {
        const migration = await transaction.get(migrationCollection, 'current')
        if (migration === undefined || migration.state === 'done') return
        const backends = [migration.from, migration.to]
        transaction.put(lateErasureCollection, { id: userId, backends })
      }),
    lateErasures: () => documentsOf(database, lateErasureCollection, { index: 'by_id', equals: [] }),
    settleErasure: async (userId) => void (await database.collection(lateErasureCollection).delete(userId)),
  }
}

/** What the present migration has copied, or had to empty itself, is to be removed by the one in its place. */
function withReplaced(migration: StoredMigration, present: StoredMigration | undefined): StoredMigration {
  const copies = [...(present?.replaced ?? []), ...(present !== undefined && present.state !== 'done' ? [present.to] : [])]
  const replaced = [...new Set(copies)].filter((id) => id !== migration.from && id !== migration.to)
  return replaced.length > 0 ? { ...migration, replaced } : migration
}
