import type { JsonObject } from '@agent-service/sdk'
import type { CommitBatch, CommitCheck, CommitWrite } from '@agent-service/sdk/contracts/database-driver'
import type { CollectionDefinition, IndexValue, StoredObject, Transaction } from '@agent-service/sdk/services/database'
import { putOf } from '../collections/collection-layout.js'
import type { CollectionRegistry } from '../collections/collection-registry.js'
import { checkDocument, isDocumentId } from '../documents/check-document.js'
import type { DocumentReference, StoredEntry } from '../documents/entity-cache.js'
import type { CommitCallback, Replacement, Store } from '../documents/store.js'
import { conflictError, documentExistsError, queryInvalidError, transactionEndedError, transactionTooLargeError } from '../errors.js'
import { planFind } from '../queries/query-range.js'

const maxReads = 10_000
const maxWrites = 5_000
const maxWriteBytes = 64 * 1024 * 1024

/**
 * A transaction as the kernel's own services see it: over every collection, with a callback after
 * the commit.
 */
export interface KernelTransaction extends Transaction {
  /**
   * Called once after the commit, in commit order over all transactions, before the transaction's
   * promise resolves. Never waits, never throws.
   */
  afterCommit(callback: (revision: number) => void): void
}

/** One run of a transaction's work: its reads and its pending writes. */
export interface TransactionAttempt {
  /** The transaction as this owner sees it; without an owner, over every collection. */
  view(owner?: string): KernelTransaction
  /** Ends it: later use of a view throws `transaction_ended`. */
  end(): void
  /** The commit batch: all reads as checks, and the writes. */
  batch(): CommitBatch
  callbacks(): readonly CommitCallback[]
  /** The documents that it replaces, without inserted ones. */
  replacements(): readonly Replacement[]
  /** True if two reads contradict each other, so that a commit cannot succeed. */
  isStale(): boolean
  /**
   * The document that an insert assumed to be absent without a read, if this check belongs to it.
   */
  unseenInsert(check: CommitCheck): DocumentReference | undefined
}

/** A document that was read in advance. */
export interface KnownDocument extends DocumentReference {
  readonly entry: StoredEntry
}

interface Read extends DocumentReference {
  readonly entry: StoredEntry | undefined
  /** Assumed by an insert without a read. */
  readonly assumed?: boolean
}

interface BufferedWrite {
  readonly write: CommitWrite
  readonly document: JsonObject | undefined
  readonly bytes: number
  readonly inserts?: boolean
}

/**
 * Begins an attempt.
 * @param options.fresh - Read from the driver, not from the cache, so that a retry sees the change
 * behind the conflict.
 * @param options.known - Documents read in advance for this attempt; they count as read only when
 * used.
 */
export function createTransactionAttempt(options: {
  readonly store: Store
  readonly registry: CollectionRegistry
  readonly fresh: boolean
  readonly known: readonly KnownDocument[]
}): TransactionAttempt {
  const { store, registry, fresh } = options
  const known = new Map(options.known.map((read) => [keyOf(read), read]))
  const reads = new Map<string, Read>()
  const finds = new Map<string, DocumentReference | { readonly absent: CommitCheck }>()
  const writes = new Map<string, BufferedWrite>()
  const callbacks: CommitCallback[] = []
  let writeBytes = 0
  let ended = false
  let stale = false

  const guard = (): void => {
    if (ended) throw transactionEndedError.create({})
  }
  const remember = (read: Read): Read => {
    const key = keyOf(read)
    const earlier = reads.get(key)
    if (!earlier) {
      if (reads.size + finds.size >= maxReads) throw transactionTooLargeError.create({ limit: `${maxReads} reads` })
      reads.set(key, read)
      return read
    }
    if ((earlier.entry?.revision ?? 0) !== (read.entry?.revision ?? 0)) {
      stale = true
      throw conflictError.create({ collection: read.collection, id: read.id })
    }
    return earlier
  }
  const buffer = (key: string, buffered: BufferedWrite): void => {
    writeBytes += buffered.bytes - (writes.get(key)?.bytes ?? 0)
    if (writeBytes > maxWriteBytes) throw transactionTooLargeError.create({ limit: `${maxWriteBytes} bytes of documents` })
    if (!writes.has(key) && writes.size >= maxWrites) throw transactionTooLargeError.create({ limit: `${maxWrites} writes` })
    writes.set(key, buffered)
  }

  const read = async (reference: DocumentReference): Promise<JsonObject | undefined> => {
    const key = keyOf(reference)
    const settled = (): { readonly document: JsonObject | undefined } | undefined => {
      const own = writes.get(key)
      if (own) return { document: own.document }
      const earlier = reads.get(key)
      return earlier && { document: earlier.entry?.document }
    }
    const before = settled()
    if (before) return before.document
    const prepared = known.get(key)
    const entry = prepared ? prepared.entry : await store.read(reference, { fresh })
    guard()
    // Meanwhile the same document may have been read or written through this transaction; the first
    // entry stays.
    const meanwhile = settled()
    return meanwhile ? meanwhile.document : remember({ ...reference, entry }).entry?.document
  }

  const ownDocumentWith = (collection: string, position: number, key: Uint8Array): JsonObject | undefined => {
    for (const { write, document } of writes.values()) {
      if (write.kind !== 'put' || write.collection !== collection) continue
      const own = write.keys[position]
      if (own && Buffer.compare(own, key) === 0) return document
    }
    return undefined
  }

  const find = async (collection: string, position: number, index: string, key: Uint8Array): Promise<JsonObject | undefined> => {
    const findKey = `${collection}/${index}/${Buffer.from(key).toString('latin1')}`
    if (!ownDocumentWith(collection, position, key) && !finds.has(findKey)) {
      const found = await store.find(collection, index, key)
      guard()
      if (found) remember({ collection, id: found.id, entry: found })
      if (!finds.has(findKey)) {
        finds.set(findKey, found ? { collection, id: found.id } : { absent: { kind: 'key-absent', collection, index, key } })
      }
    }
    const own = ownDocumentWith(collection, position, key)
    if (own) return own
    const result = finds.get(findKey)
    // A document that this transaction wrote now has another key, or is deleted.
    if (!result || 'absent' in result || writes.has(keyOf(result))) return undefined
    return reads.get(keyOf(result))?.entry?.document
  }

  const put = (collection: string, owner: string | undefined, document: unknown, insert: boolean): void => {
    guard()
    const { layout } = registry.get(collection, owner)
    const checked = checkDocument(collection, document)
    const write = putOf(layout, checked)
    const reference = { collection, id: checked.id }
    const key = keyOf(reference)
    if (insert) {
      const own = writes.get(key)
      const prepared = known.get(key)
      if (!own && prepared) remember(prepared)
      const exists = own ? own.document !== undefined : reads.get(key)?.entry !== undefined
      if (exists) throw documentExistsError.create(reference)
      if (!own && !reads.has(key)) remember({ ...reference, entry: undefined, assumed: true })
    }
    buffer(key, { write, document: checked.document, bytes: checked.bytes, inserts: insert })
  }

  const view = (owner?: string): KernelTransaction => ({
    async get<Document extends StoredObject>(definition: CollectionDefinition<Document>, id: string): Promise<Document | undefined> {
      guard()
      registry.get(definition.name, owner)
      return isDocumentId(id) ? asDocument<Document>(await read({ collection: definition.name, id })) : undefined
    },
    async find<Document extends StoredObject>(
      definition: CollectionDefinition<Document>,
      index: string,
      key: readonly IndexValue[],
    ): Promise<Document | undefined> {
      guard()
      const { layout } = registry.get(definition.name, owner)
      const encoded = planFind(layout, index, key)
      if (!encoded) return undefined
      const position = layout.indexes.findIndex((candidate) => candidate.name === index)
      return asDocument<Document>(await find(layout.name, position, index, encoded))
    },
    insert: (definition, document) => put(definition.name, owner, document, true),
    put: (definition, document) => put(definition.name, owner, document, false),
    delete(definition, id) {
      guard()
      registry.get(definition.name, owner)
      if (!isDocumentId(id))
        throw queryInvalidError.create({ collection: definition.name, reason: 'the id to delete is not a document id' })
      const reference = { collection: definition.name, id }
      buffer(keyOf(reference), { write: { kind: 'delete', ...reference }, document: undefined, bytes: 0 })
    },
    afterCommit(callback) {
      guard()
      callbacks.push(callback)
    },
  })

  return {
    view,
    end() {
      ended = true
    },
    batch() {
      const revisions = [...reads.values()].map(
        ({ collection, id, entry }): CommitCheck => ({ kind: 'revision', collection, id, revision: entry?.revision ?? 0 }),
      )
      const absences = [...finds.values()].flatMap((result) => ('absent' in result ? [result.absent] : []))
      // A document known to be absent need not be deleted.
      const needed = [...writes].filter(
        ([key, { write }]) => write.kind === 'put' || !reads.has(key) || reads.get(key)?.entry !== undefined,
      )
      return { checks: [...revisions, ...absences], writes: needed.map(([, { write }]) => write) }
    },
    callbacks: () => callbacks,
    replacements: () =>
      [...writes.values()].flatMap(({ write, document, bytes, inserts }) =>
        document === undefined || inserts === true ? [] : [{ collection: write.collection, id: write.id, document, bytes }],
      ),
    isStale: () => stale,
    unseenInsert(check) {
      const read = check.kind === 'revision' ? reads.get(keyOf(check)) : undefined
      return read?.assumed ? { collection: read.collection, id: read.id } : undefined
    },
  }
}

const keyOf = ({ collection, id }: DocumentReference): string => `${collection}/${id}`

/** The definition guarantees the type: every document was written through it or migrated to it. */
const asDocument = <Document extends StoredObject>(document: JsonObject | undefined): Document | undefined =>
  document as unknown as Document | undefined
