import type { DatabaseConnection } from '@agent-service/sdk/contracts/database-driver'
import type { CollectionDefinition } from '@agent-service/sdk/services/database'
import { checkDefinition } from '../collections/collection-layout.js'
import { readProgress, refuseNewer, stepsBetween } from './migration-progress.js'

/** One pending or done step of a migration, for a dry run. */
export interface MigrationStep {
  readonly collection: string
  readonly from: number
  readonly to: number
  readonly description: string
  readonly documents: number
}

/**
 * The migrations that opening these collections would run. Only reads.
 * @throws `collection_invalid`, `database_newer` or `migration_missing`, as opening would.
 */
export async function planMigrations(
  connection: DatabaseConnection,
  definitions: readonly CollectionDefinition[],
): Promise<readonly MigrationStep[]> {
  const layouts = await connection.layouts()
  const plan: MigrationStep[] = []
  for (const definition of definitions) {
    checkDefinition(definition)
    const stored = layouts.find(({ name }) => name === definition.name)
    if (!stored) continue
    refuseNewer(definition, stored.version)
    const progress = await readProgress(connection, definition.name)
    const begun = progress && progress.to > stored.version ? progress : undefined
    if (begun) refuseNewer(definition, begun.to)
    const documents = await connection.count(definition.name)
    for (const { to, description } of stepsBetween(definition, stored.version, definition.version)) {
      const done = begun && to <= begun.to ? begun.migrated : 0
      plan.push({ collection: definition.name, from: to - 1, to, description, documents: documents - done })
    }
  }
  return plan
}
