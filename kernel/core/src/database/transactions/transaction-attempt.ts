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

const attemptKey = Symbol('attempt')

interface TransactionView extends KernelTransaction {
  readonly [attemptKey]: TransactionAttempt
}

/** The attempt that a view belongs to; `undefined` for any other object. */
export const attemptOf = (transaction: Transaction): TransactionAttempt | undefined => (transaction as Partial<TransactionView>)[attemptKey]

/** One run of a transaction's work: its reads and its pending writes. */
export class TransactionAttempt {
  /** Set by {@link KernelTransaction.afterCommit}. */
  readonly callbacks: CommitCallback[] = []
  readonly #reads = new Map<string, Read>()
  readonly #finds = new Map<string, DocumentReference | { readonly absent: CommitCheck }>()
  readonly #writes = new Map<string, BufferedWrite>()
  #writeBytes = 0
  #isEnded = false
  #isStale = false

  /**
   * @param options.fresh - Read from the driver, not from the cache, so that a retry sees the change
   * behind the conflict.
   * @param options.known - Documents read in advance for this attempt; they count as read only when
   * used.
   */
  constructor(
    private readonly options: {
      readonly store: Store
      readonly registry: CollectionRegistry
      readonly fresh: boolean
      readonly known: readonly KnownDocument[]
    },
  ) {}

  /** The transaction as this owner sees it; without an owner, over every collection. */
  view(owner?: string): KernelTransaction {
    const { registry } = this.options
    const view: TransactionView = {
      [attemptKey]: this,
      get: async <Document extends StoredObject>({ name }: CollectionDefinition<Document>, id: string) => {
        this.#guard()
        registry.get(name, owner)
        return isDocumentId(id) ? asDocument<Document>(await this.#read({ collection: name, id })) : undefined
      },
      find: async <Document extends StoredObject>({ name }: CollectionDefinition<Document>, index: string, key: readonly IndexValue[]) => {
        this.#guard()
        const { layout } = registry.get(name, owner)
        const encoded = planFind(layout, index, key)
        if (!encoded) return undefined
        const position = layout.indexes.findIndex((candidate) => candidate.name === index)
        return asDocument<Document>(await this.#find(name, position, index, encoded))
      },
      insert: ({ name }, document) => this.#put(name, owner, document, true),
      put: ({ name }, document) => this.#put(name, owner, document, false),
      delete: ({ name: collection }, id) => {
        this.#guard()
        registry.get(collection, owner)
        if (!isDocumentId(id)) throw queryInvalidError.create({ collection, reason: 'the id to delete is not a document id' })
        this.#buffer({ write: { kind: 'delete', collection, id }, document: undefined, bytes: 0 })
      },
      afterCommit: (callback) => {
        this.#guard()
        this.callbacks.push(callback)
      },
    }
    return view
  }

  /** Ends it: later use of a view throws `transaction_ended`. */
  end(): void {
    this.#isEnded = true
  }

  /** The commit batch: all reads as checks, and the writes. */
  batch(): CommitBatch {
    const checks: CommitCheck[] = []
    for (const { collection, id, entry } of this.#reads.values())
      checks.push({ kind: 'revision', collection, id, revision: entry?.revision ?? 0 })
    for (const found of this.#finds.values()) if ('absent' in found) checks.push(found.absent)
    const writes: CommitWrite[] = []
    for (const [key, { write }] of this.#writes) {
      // A document known to be absent need not be deleted.
      const read = this.#reads.get(key)
      if (write.kind === 'put' || !read || read.entry) writes.push(write)
    }
    return { checks, writes }
  }

  /** The documents that it replaces, without inserted ones. */
  replacements(): readonly Replacement[] {
    const replacements: Replacement[] = []
    for (const { write, document, bytes, inserts } of this.#writes.values())
      if (document && !inserts) replacements.push({ collection: write.collection, id: write.id, document, bytes })
    return replacements
  }

  /** True if two reads contradict each other, so that a commit cannot succeed. */
  get isStale(): boolean {
    return this.#isStale
  }

  /**
   * The document that an insert assumed to be absent without a read, if this check belongs to it.
   */
  unseenInsert(check: CommitCheck): DocumentReference | undefined {
    const read = check.kind === 'revision' ? this.#reads.get(keyOf(check)) : undefined
    return read?.assumed ? { collection: read.collection, id: read.id } : undefined
  }

  #guard(): void {
    if (this.#isEnded) throw transactionEndedError.create({})
  }

  #remember(key: string, read: Read): Read {
    const earlier = this.#reads.get(key)
    if (!earlier) {
      if (this.#reads.size + this.#finds.size >= maxReads) throw transactionTooLargeError.create({ limit: `${maxReads} reads` })
      this.#reads.set(key, read)
      return read
    }
    if ((earlier.entry?.revision ?? 0) !== (read.entry?.revision ?? 0)) {
      this.#isStale = true
      throw conflictError.create({ collection: read.collection, id: read.id })
    }
    return earlier
  }

  /** The document as this transaction has written or read it. */
  #settled(key: string): { readonly document: JsonObject | undefined } | undefined {
    const own = this.#writes.get(key)
    if (own) return own
    const earlier = this.#reads.get(key)
    return earlier && { document: earlier.entry?.document }
  }

  async #read(reference: DocumentReference): Promise<JsonObject | undefined> {
    const { store, fresh } = this.options
    const key = keyOf(reference)
    const before = this.#settled(key)
    if (before) return before.document
    let entry = this.#known(reference)?.entry ?? (fresh ? undefined : store.cached(reference))
    if (!entry) {
      entry = await store.read(reference)
      this.#guard()
    }
    // Meanwhile the same document may have been read or written through this transaction; the first
    // entry stays.
    const meanwhile = this.#settled(key)
    return meanwhile ? meanwhile.document : this.#remember(key, { ...reference, entry }).entry?.document
  }

  #known({ collection, id }: DocumentReference): KnownDocument | undefined {
    return this.options.known.find((known) => known.id === id && known.collection === collection)
  }

  async #find(collection: string, position: number, index: string, key: Uint8Array): Promise<JsonObject | undefined> {
    const findKey = `${collection}/${index}/${Buffer.from(key).toString('latin1')}`
    if (!this.#ownDocumentWith(collection, position, key) && !this.#finds.has(findKey)) {
      const found = await this.options.store.find(collection, index, key)
      this.#guard()
      const reference = found && { collection, id: found.id }
      if (reference) this.#remember(keyOf(reference), { ...reference, entry: found })
      if (!this.#finds.has(findKey)) this.#finds.set(findKey, reference ?? { absent: { kind: 'key-absent', collection, index, key } })
    }
    const own = this.#ownDocumentWith(collection, position, key)
    if (own) return own
    const result = this.#finds.get(findKey)
    // A document that this transaction wrote now has another key, or is deleted.
    if (!result || 'absent' in result || this.#writes.has(keyOf(result))) return undefined
    return this.#reads.get(keyOf(result))?.entry?.document
  }

  #ownDocumentWith(collection: string, position: number, key: Uint8Array): JsonObject | undefined {
    for (const { write, document } of this.#writes.values()) {
      if (write.kind !== 'put' || write.collection !== collection) continue
      const own = write.keys[position]
      if (own && Buffer.compare(own, key) === 0) return document
    }
    return undefined
  }

  #put(collection: string, owner: string | undefined, document: unknown, inserts: boolean): void {
    this.#guard()
    const { layout } = this.options.registry.get(collection, owner)
    const checked = checkDocument(collection, document)
    const write = putOf(layout, checked)
    if (inserts) this.#requireAbsent({ collection, id: checked.id })
    this.#buffer({ write, document: checked.document, bytes: checked.bytes, inserts })
  }

  /** Assumes that a document is absent unless it was read or written. @throws `document_exists` */
  #requireAbsent(reference: DocumentReference): void {
    const key = keyOf(reference)
    const own = this.#writes.get(key)
    const known = own ? undefined : this.#known(reference)
    if (known) this.#remember(key, known)
    const exists = own ? own.document !== undefined : this.#reads.get(key)?.entry !== undefined
    if (exists) throw documentExistsError.create(reference)
    if (!own && !this.#reads.has(key)) this.#remember(key, { ...reference, entry: undefined, assumed: true })
  }

  #buffer(buffered: BufferedWrite): void {
    const key = keyOf(buffered.write)
    const earlier = this.#writes.get(key)
    this.#writeBytes += buffered.bytes - (earlier?.bytes ?? 0)
    if (this.#writeBytes > maxWriteBytes) throw transactionTooLargeError.create({ limit: `${maxWriteBytes} bytes of documents` })
    if (!earlier && this.#writes.size >= maxWrites) throw transactionTooLargeError.create({ limit: `${maxWrites} writes` })
    this.#writes.set(key, buffered)
  }
}

const keyOf = ({ collection, id }: DocumentReference): string => `${collection}/${id}`

/** The definition guarantees the type: every document was written through it or migrated to it. */
const asDocument = <Document extends StoredObject>(document: JsonObject | undefined): Document | undefined =>
  document as unknown as Document | undefined
