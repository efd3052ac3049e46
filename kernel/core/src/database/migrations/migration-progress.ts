import { type CommitWrite, type DatabaseConnection, databaseNewerError } from '@agent-service/sdk/contracts/database-driver'
import type { CollectionDefinition, CollectionMigration } from '@agent-service/sdk/services/database'
import { internalCollectionName } from '../collections/collection-layout.js'
import { documentOf } from '../documents/stored-entry.js'
import { migrationMissingError } from '../errors.js'

/**
 * The progress of a migration. Written in the commit of each batch, so it is exact after a crash at
 * any moment.
 */
export interface MigrationProgress {
  readonly collection: string
  /** The version that the documents up to `afterId` have. */
  readonly to: number
  /** The id of the last migrated document, in the order of ids. */
  readonly afterId: string
  readonly migrated: number
}

const idOf = (collection: string): string => `migration:${collection}`

export async function readProgress(connection: DatabaseConnection, collection: string): Promise<MigrationProgress | undefined> {
  const [record] = await connection.read(internalCollectionName, [idOf(collection)])
  if (!record) return undefined
  const { to, after_id: afterId, migrated } = documentOf(internalCollectionName, record)
  return { collection, to: Number(to), afterId: String(afterId), migrated: Number(migrated) }
}

export function progressWrite({ collection, to, afterId, migrated }: MigrationProgress): CommitWrite {
  const id = idOf(collection)
  const body = JSON.stringify({ id, to, after_id: afterId, migrated })
  return { kind: 'put', collection: internalCollectionName, id, body, keys: [] }
}

/** Deletes the progress of a migration whose end is recorded in the collection's version. */
export async function clearProgress(connection: DatabaseConnection, collection: string): Promise<void> {
  await connection.commit({ checks: [], writes: [{ kind: 'delete', collection: internalCollectionName, id: idOf(collection) }] })
}

/**
 * The steps from one version to another, without a gap.
 * @throws `migration_missing`.
 */
export function stepsBetween(definition: CollectionDefinition, from: number, to: number): readonly CollectionMigration[] {
  const steps = (definition.migrations ?? []).filter((step) => step.to > from && step.to <= to)
  if (steps.length !== to - from) throw migrationMissingError.create({ collection: definition.name, from, to })
  return steps
}

/**
 * Refuses data that is newer than the code.
 * @param found - The stored version, or the target version of a migration under way.
 * @throws `database_newer`.
 */
export function refuseNewer(definition: CollectionDefinition, found: number): void {
  if (found > definition.version)
    throw databaseNewerError.create({ what: `The collection ${definition.name}`, found, known: definition.version })
}
