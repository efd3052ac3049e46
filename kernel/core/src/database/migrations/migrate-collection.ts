import { isDeepStrictEqual } from 'node:util'
import type { JsonObject, Logger } from '@agent-service/sdk'
import type { CollectionLayout, CommitBatch, DatabaseConnection, DocumentRecord } from '@agent-service/sdk/contracts/database-driver'
import type { Clock } from '@agent-service/sdk/services/clock'
import type { CollectionDefinition, CollectionMigration } from '@agent-service/sdk/services/database'
import { keysOf, layoutOf } from '../collections/collection-layout.js'
import { type CheckedDocument, checkDocument } from '../documents/check-document.js'
import { documentOf } from '../documents/stored-entry.js'
import { conflictError, migrationFailedError } from '../errors.js'
import { searchTextOf } from '../queries/search-text.js'
import { clearProgress, type MigrationProgress, progressWrite, readProgress, refuseNewer, stepsBetween } from './migration-progress.js'

const firstBatch = 16
const maxBatchBytes = 200
/** The target size of a batch in characters of JSON. */
const batchBytes = 4 * 1024 * 1024
const maxConflicts = 16

interface MigrationContext {
  readonly connection: DatabaseConnection
  readonly clock: Pick<Clock, 'monotonic'>
  readonly log: Logger
}

/**
 * Opens the collections of one owner as {@link openCollection} does: new ones together, so that a
 * driver can create them in one go, the others one after the other.
 * @throws the first error, after all work has ended.
 */
export async function openCollections(
  context: MigrationContext,
  definitions: readonly CollectionDefinition[],
): Promise<readonly CollectionLayout[]> {
  const stored = new Set((await context.connection.layouts()).map(({ name }) => name))
  const created = await Promise.allSettled(
    definitions.filter(({ name }) => !stored.has(name)).map((definition) => openCollection(context, definition)),
  )
  const layouts: CollectionLayout[] = []
  for (const result of created) {
    if (result.status === 'rejected') throw result.reason
    layouts.push(result.value)
  }
  for (const definition of definitions) if (stored.has(definition.name)) layouts.push(await openCollection(context, definition))
  return layouts
}

/**
 * Creates a collection, or migrates its documents and updates its indexes. After a crash at any
 * moment the next call resumes: every batch is committed together with its progress, and no
 * document is migrated twice.
 * @throws `database_newer`, `migration_missing`, `migration_failed`, `unique_violation`.
 */
async function openCollection(context: MigrationContext, definition: CollectionDefinition): Promise<CollectionLayout> {
  const { connection } = context
  const layout = layoutOf(definition)
  const stored = (await connection.layouts()).find(({ name }) => name === definition.name)
  if (stored) await migrate(context, definition, stored)
  if (!stored || !isDeepStrictEqual(stored, layout)) {
    await connection.ensureCollection(
      layout,
      (record) => keysOf(layout, documentOf(layout.name, record)),
      (record) => searchTextOf(layout.search, documentOf(layout.name, record)),
    )
  }
  return layout
}

async function migrate(context: MigrationContext, definition: CollectionDefinition, stored: CollectionLayout): Promise<void> {
  const { connection } = context
  refuseNewer(definition, stored.version)
  let progress = await readProgress(connection, definition.name)
  if (progress && progress.to <= stored.version) {
    await clearProgress(connection, definition.name)
    progress = undefined
  }
  if (progress) refuseNewer(definition, progress.to)
  let version = stored.version
  while (version < definition.version) {
    // A migration under way is completed first: its documents are in two versions.
    const to = progress?.to ?? definition.version
    await migrateTo(context, definition, { from: version, to, progress })
    version = to
    progress = undefined
  }
}

async function migrateTo(
  context: MigrationContext,
  definition: CollectionDefinition,
  range: { readonly from: number; readonly to: number; readonly progress: MigrationProgress | undefined },
): Promise<void> {
  const { connection, clock, log } = context
  const { name } = definition
  const { from, to } = range
  const steps = stepsBetween(definition, from, to)
  const started = clock.monotonic()
  log.info('Migrating a collection.', { collection: name, from, to, resumed: range.progress !== undefined })
  // Documents of two versions have no common keys: the indexes are dropped now and rebuilt at the
  // end.
  if (!range.progress) await connection.ensureCollection({ name, version: from, indexes: [] }, () => [])
  let progress: MigrationProgress = range.progress ?? { collection: name, to, afterId: '', migrated: 0 }
  let limit = firstBatch
  for (let conflicts = 0; ; ) {
    const records = await connection.scan(name, { limit, ...(progress.afterId !== '' && { afterId: progress.afterId }) })
    const last = records.at(-1)
    if (!last) break
    const next: MigrationProgress = { ...progress, afterId: last.id, migrated: progress.migrated + records.length }
    const { outcome } = await connection.commit(batchOf(definition, steps, records, next))
    if (outcome === 'committed') progress = next
    else if (++conflicts > maxConflicts) throw conflictError.create({ collection: name, id: last.id })
    const bytes = records.reduce((sum, { body }) => sum + body.length, 0)
    limit = Math.max(1, Math.min(maxBatchBytes, Math.floor((batchBytes * records.length) / Math.max(bytes, 1))))
  }
  await connection.ensureCollection({ name, version: to, indexes: [] }, () => [])
  await clearProgress(connection, name)
  log.info('Migrated a collection.', {
    collection: name,
    from,
    to,
    documents: progress.migrated,
    ms: Math.round(clock.monotonic() - started),
  })
}

function batchOf(
  { name }: CollectionDefinition,
  steps: readonly CollectionMigration[],
  records: readonly DocumentRecord[],
  progress: MigrationProgress,
): CommitBatch {
  return {
    checks: records.map(({ id, revision }) => ({ kind: 'revision', collection: name, id, revision })),
    writes: [
      ...records.map(
        (record) => ({ kind: 'put', collection: name, id: record.id, body: migrated(name, steps, record).body, keys: [] }) as const,
      ),
      progressWrite(progress),
    ],
  }
}

function migrated(collection: string, steps: readonly CollectionMigration[], record: DocumentRecord): CheckedDocument {
  let document: JsonObject = documentOf(collection, record)
  let checked: CheckedDocument | undefined
  for (const step of steps) {
    try {
      checked = checkDocument(collection, step.migrate(document))
    } catch (cause) {
      const reason = cause instanceof Error ? cause.message : String(cause)
      throw migrationFailedError.create({ collection, to: step.to, id: record.id, reason }, { cause })
    }
    if (checked.id !== record.id) {
      throw migrationFailedError.create({ collection, to: step.to, id: record.id, reason: `the step changed its id to “${checked.id}”` })
    }
    document = checked.document
  }
  return checked ?? checkDocument(collection, document)
}
