import { abortable } from '@agent-service/sdk/async'
import { uniqueViolationError } from '@agent-service/sdk/contracts/database-driver'
import type { Clock } from '@agent-service/sdk/services/clock'
import type { Transaction } from '@agent-service/sdk/services/database'
import { currentWork, runWithin, type SurroundingTransaction } from '../../work/work-context.js'
import type { CollectionRegistry } from '../collections/collection-registry.js'
import type { DocumentReference } from '../documents/entity-cache.js'
import type { Store } from '../documents/store.js'
import { conflictError, transactionEndedError, transactionNestedError } from '../errors.js'
import { createTransactionAttempt, type KernelTransaction, type KnownDocument, type TransactionAttempt } from './transaction-attempt.js'

const maxAttempts = 16
const maxMilliseconds = 10_000
const maxPauseMs = 400

/** How an attempt ended. */
type Outcome<Result> =
  | { readonly done: true; readonly result: Result }
  | { readonly done: false; readonly suspect?: DocumentReference | undefined }

export type TransactionRunner = ReturnType<typeof createTransactionRunner>

/**
 * Makes the runner.
 * @param dependencies.pause - The delay between two attempts, in milliseconds of real time; it
 * spreads competing callers.
 */
export function createTransactionRunner(dependencies: {
  readonly store: Store
  readonly registry: CollectionRegistry
  readonly clock: Pick<Clock, 'monotonic'>
  readonly pause: (milliseconds: number, options: { readonly signal: AbortSignal }) => Promise<void>
}) {
  const { store, registry, clock, pause } = dependencies
  const views = new WeakMap<Transaction, TransactionAttempt>()

  /** Whether the reads of the work were inconsistent, so that its error means nothing. */
  const sawChanges = async (attempt: TransactionAttempt): Promise<boolean> => {
    if (attempt.isStale()) return true
    const { checks } = attempt.batch()
    if (checks.length < 2) return false
    const changed = await store.verify(checks)
    return changed !== undefined && !attempt.unseenInsert(changed)
  }

  const attemptOnce = async <Result>(
    attempt: TransactionAttempt,
    owner: string | undefined,
    work: (transaction: Transaction) => Promise<Result>,
    { signal, last }: { readonly signal: AbortSignal | undefined; readonly last: boolean },
  ): Promise<Outcome<Result>> => {
    const view = attempt.view(owner)
    views.set(view, attempt)
    const transaction: SurroundingTransaction = { database: views, outer: currentWork().transaction, active: true }
    const begin = (): Promise<Result> => runWithin({ transaction }, () => work(view))
    let result: Result
    try {
      result = await (signal ? abortable(begin, signal) : begin())
    } catch (error) {
      end(transaction, attempt)
      if (signal?.aborted || last || !(await sawChanges(attempt).catch(() => false))) throw error
      return { done: false }
    }
    end(transaction, attempt)
    signal?.throwIfAborted()
    if (attempt.isStale()) return { done: false }
    const batch = attempt.batch()
    const callbacks = attempt.callbacks()
    if (batch.writes.length + callbacks.length === 0) return (await store.verify(batch.checks)) ? { done: false } : { done: true, result }
    const committed = await store.commit(batch, { callbacks, replacements: attempt.replacements() })
    if (committed.outcome === 'unique-violation') {
      throw uniqueViolationError.create({ collection: committed.collection, index: committed.index })
    }
    if (committed.outcome === 'committed') return { done: true, result }
    return { done: false, suspect: attempt.unseenInsert(committed.check) }
  }

  return {
    async run<Result>(
      owner: string | undefined,
      work: (transaction: Transaction) => Promise<Result>,
      { signal }: { readonly signal?: AbortSignal } = {},
    ): Promise<Result> {
      if (isInside(views)) throw transactionNestedError.create({})
      const started = clock.monotonic()
      const suspects: DocumentReference[] = []
      for (let number = 1; ; number++) {
        signal?.throwIfAborted()
        const known = suspects.length === 0 ? [] : await readFresh(store, suspects)
        const attempt = createTransactionAttempt({ store, registry, fresh: number > 1, known })
        const last = number >= maxAttempts || clock.monotonic() - started >= maxMilliseconds
        const outcome = await attemptOnce(attempt, owner, work, { signal, last })
        if (outcome.done) return outcome.result
        if (last || clock.monotonic() - started >= maxMilliseconds) throw conflictError.create({ attempts: number })
        if (outcome.suspect) suspects.push(outcome.suspect)
        await pause(Math.random() * Math.min(maxPauseMs, 4 * 2 ** number), { signal: signal ?? new AbortController().signal })
      }
    },
    /** The kernel's view of a transaction that `run` passed to its work. */
    kernelView(transaction: Transaction): KernelTransaction {
      const attempt = views.get(transaction)
      if (!attempt) throw transactionEndedError.create({})
      const view = attempt.view()
      views.set(view, attempt)
      return view
    },
  }
}

async function readFresh(store: Store, references: readonly DocumentReference[]): Promise<readonly KnownDocument[]> {
  const known: KnownDocument[] = []
  for (const reference of references) {
    const entry = await store.read(reference, { fresh: true })
    if (entry) known.push({ ...reference, entry })
  }
  return known
}

function end(transaction: SurroundingTransaction, attempt: TransactionAttempt): void {
  transaction.active = false
  attempt.end()
}

/** Whether the caller is in an unfinished transaction of this database. */
function isInside(database: object): boolean {
  for (let around = currentWork().transaction; around; around = around.outer) if (around.active && around.database === database) return true
  return false
}
