import { databaseNewerError } from '@agent-service/sdk/contracts/database-driver'
import type { CollectionDefinition, CollectionMigration } from '@agent-service/sdk/services/database'
import { migrationMissingError } from '../errors.js'

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
