import { abortable } from '@agent-service/sdk/async'
import { uniqueViolationError } from '@agent-service/sdk/contracts/database-driver'
import type { Clock } from '@agent-service/sdk/services/clock'
import type { Transaction } from '@agent-service/sdk/services/database'
import { currentWork, runWithin, type SurroundingTransaction } from '../../work/work-context.js'
import type { CollectionRegistry } from '../collections/collection-registry.js'
import type { DocumentReference } from '../documents/entity-cache.js'
import type { Store } from '../documents/store.js'
import { conflictError, transactionEndedError, transactionNestedError } from '../errors.js'
import { createTransactionAttempt, type KernelTransaction, type TransactionAttempt } from './transaction-attempt.js'

const maxAttempts = 16
const maxMilliseconds = 10_000
const maxPauseMs = 400

/** Runs transactions. */
export interface TransactionRunner {
  run<Result>(
    owner: string | undefined,
    work: (transaction: Transaction) => Promise<Result>,
    options?: { readonly signal?: AbortSignal },
  ): Promise<Result>
  /** The kernel's view of a transaction that {@link run} passed to its work. */
  kernelView(transaction: Transaction): KernelTransaction
}

/** How an attempt ended. */
type Outcome<Result> =
  | { readonly done: true; readonly result: Result }
  | { readonly done: false; readonly suspect?: DocumentReference | undefined }

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
}): TransactionRunner {
  const { store, registry, clock, pause } = dependencies
  const views = new WeakMap<Transaction, TransactionAttempt>()

  const begin = async (repeated: boolean, suspects: readonly DocumentReference[]): Promise<TransactionAttempt> => {
    const known = []
    for (const suspect of suspects) {
      const entry = await store.read(suspect, { fresh: true })
      if (entry) known.push({ ...suspect, entry })
    }
    return createTransactionAttempt({ store, registry, fresh: repeated, known })
  }

  /** Whether the reads of the work were inconsistent, so that its error means nothing. */
  const sawChanges = async (attempt: TransactionAttempt): Promise<boolean> => {
    if (attempt.isStale()) return true
    const { checks } = attempt.batch()
    if (checks.length < 2) return false
    const changed = await store.verify(checks)
    return changed !== undefined && !attempt.unseenInsert(changed)
  }

  const runWork = async <Result>(
    attempt: TransactionAttempt,
    owner: string | undefined,
    work: (transaction: Transaction) => Promise<Result>,
    signal: AbortSignal | undefined,
  ): Promise<Result> => {
    const view = attempt.view(owner)
    views.set(view, attempt)
    const running: SurroundingTransaction = { database: views, active: true }
    try {
      const begin = (): Promise<Result> => runWithin({ transactions: [...active(), running] }, async () => work(view))
      return await abortable(begin, signal)
    } finally {
      running.active = false
      attempt.end()
    }
  }

  const attemptOnce = async <Result>(
    attempt: TransactionAttempt,
    owner: string | undefined,
    work: (transaction: Transaction) => Promise<Result>,
    options: { readonly signal: AbortSignal | undefined; readonly last: boolean },
  ): Promise<Outcome<Result>> => {
    const { signal, last } = options
    let result: Result
    try {
      result = await runWork(attempt, owner, work, signal)
    } catch (error) {
      if (signal?.aborted || last || !(await sawChanges(attempt).catch(() => false))) throw error
      return { done: false }
    }
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
    async run(owner, work, options = {}) {
      if (active().some(({ database }) => database === views)) throw transactionNestedError.create({})
      const { signal } = options
      const started = clock.monotonic()
      const suspects: DocumentReference[] = []
      for (let number = 1; ; number++) {
        signal?.throwIfAborted()
        const attempt = await begin(number > 1, suspects)
        const last = number >= maxAttempts || clock.monotonic() - started >= maxMilliseconds
        const outcome = await attemptOnce(attempt, owner, work, { signal, last })
        if (outcome.done) return outcome.result
        if (last || clock.monotonic() - started >= maxMilliseconds) throw conflictError.create({ attempts: number })
        if (outcome.suspect) suspects.push(outcome.suspect)
        await pause(Math.random() * Math.min(maxPauseMs, 4 * 2 ** number), { signal: signal ?? new AbortController().signal })
      }
    },
    kernelView(transaction) {
      const attempt = views.get(transaction)
      if (!attempt) throw transactionEndedError.create({})
      const view = attempt.view()
      views.set(view, attempt)
      return view
    },
  }
}

/** The unfinished transactions around the caller. */
const active = (): readonly SurroundingTransaction[] => (currentWork().transactions ?? []).filter((transaction) => transaction.active)
