import assert from 'node:assert/strict'
import type {
  CollectionLayout,
  CommitBatch,
  CommitResult,
  CommitWrite,
  DatabaseConnection,
  DocumentRecord,
  IndexKey,
} from '../../../contracts/database-driver/index.js'

/** The collection that most tests use: one plain index and one unique one. */
export const notes: CollectionLayout = {
  name: 'suite.notes',
  version: 1,
  indexes: [
    { name: 'by_rank', fields: ['rank'], unique: false },
    { name: 'by_code', fields: ['code'], unique: true },
  ],
}

/** A second collection, for commits over several. */
export const labels: CollectionLayout = {
  name: 'suite.labels',
  version: 1,
  indexes: [{ name: 'by_name', fields: ['name'], unique: false }],
}

/** A third one, whose indexes have the names and positions of those of {@link notes}. */
export const copies: CollectionLayout = { ...notes, name: 'suite.copies' }

/** The bytes of a text. */
export const bytes = (text: string): Uint8Array => new TextEncoder().encode(text)

/** A write of `notes`. Without `rank` or `code` the document is left out of that index. */
export function put(
  id: string,
  content: { readonly rank?: string | Uint8Array; readonly code?: string; readonly text?: string } = {},
): CommitWrite {
  const { rank, code, text = '' } = content
  const rankKey = typeof rank === 'string' ? bytes(rank) : (rank ?? null)
  return {
    kind: 'put',
    collection: notes.name,
    id,
    body: JSON.stringify({ id, text }),
    keys: [rankKey, code === undefined ? null : bytes(code)],
  }
}

/** The same write, of {@link copies}. */
export const copied = (write: CommitWrite): CommitWrite => ({ ...write, collection: copies.name })

/** A write that deletes a document of `notes`. */
export const remove = (id: string): CommitWrite => ({ kind: 'delete', collection: notes.name, id })

/** The keys that {@link put} would assign to a stored document without any. */
export const noKeys = (): readonly IndexKey[] => [null, null]

/** Commits writes that must succeed; returns the revision. */
export async function commitWrites(connection: DatabaseConnection, ...writes: readonly CommitWrite[]): Promise<number> {
  return expectCommitted(await connection.commit({ checks: [], writes }))
}

/** The revision of a result that must be a commit. */
export function expectCommitted(result: CommitResult): number {
  assert.equal(
    result.outcome,
    'committed',
    `the commit ended as ${JSON.stringify(result, (_, value) => (value instanceof Uint8Array ? Buffer.from(value).toString('hex') : value))}`,
  )
  return result.outcome === 'committed' ? result.revision : 0
}

/** A batch of writes without checks. */
export const batchOf = (...writes: readonly CommitWrite[]): CommitBatch => ({ checks: [], writes })

/** The member `text` of a document that must be there. */
export function textOf(record: DocumentRecord | undefined): unknown {
  assert.ok(record, 'the document is missing')
  return (JSON.parse(record.body) as { readonly text?: unknown }).text
}

/** One document of `notes`. */
export async function readOne(connection: DatabaseConnection, id: string): Promise<DocumentRecord | undefined> {
  const [record] = await connection.read(notes.name, [id])
  return record
}

/** Every id of an index of `notes`, read in pages. */
export async function idsByIndex(
  connection: DatabaseConnection,
  index: string,
  options: {
    readonly order?: 'ascending' | 'descending'
    readonly limit?: number
    readonly lower?: Uint8Array
    readonly upper?: Uint8Array
  } = {},
): Promise<string[]> {
  const { order = 'ascending', limit = 100, lower, upper } = options
  const ids: string[] = []
  let after: { readonly key: Uint8Array; readonly id: string } | undefined
  for (;;) {
    const page = await connection.range({
      collection: notes.name,
      index,
      order,
      limit,
      maximumBytes: 4 * 1024 * 1024,
      ...(lower ? { lower } : {}),
      ...(upper ? { upper } : {}),
      ...(after ? { after } : {}),
    })
    ids.push(...page.records.map((record) => record.id))
    const last = page.records.at(-1)
    if (!page.more || !last) return ids
    after = { key: last.key, id: last.id }
  }
}

/** Every id by id, read in pages. */
export async function idsByScan(connection: DatabaseConnection, limit = 100): Promise<string[]> {
  const ids: string[] = []
  for (;;) {
    const last = ids.at(-1)
    const page = await connection.scan(notes.name, { limit, ...(last === undefined ? {} : { afterId: last }) })
    ids.push(...page.map((record) => record.id))
    if (page.length < limit) return ids
  }
}
