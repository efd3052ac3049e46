import { abortable } from '@agent-service/sdk/async'
import { type CommitCheck, uniqueViolationError } from '@agent-service/sdk/contracts/database-driver'
import type { Clock } from '@agent-service/sdk/services/clock'
import type { Transaction } from '@agent-service/sdk/services/database'
import { currentWork, runWithin, type SurroundingTransaction } from '../../work/work-context.js'
import type { CollectionRegistry } from '../collections/collection-registry.js'
import type { DocumentReference } from '../documents/entity-cache.js'
import type { Store } from '../documents/store.js'
import { conflictError, transactionEndedError, transactionNestedError } from '../errors.js'
import { attemptOf, type KernelTransaction, type KnownDocument, TransactionAttempt } from './transaction-attempt.js'

const maxAttempts = 16
const maxMilliseconds = 10_000
const maxPauseMs = 400

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
  /** Identifies this database among those of the process. */
  const database = {}

  /** Whether the reads of the work were inconsistent, so that its error means nothing. */
  const sawChanges = async (attempt: TransactionAttempt): Promise<boolean> => {
    if (attempt.isStale) return true
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
    const transaction: SurroundingTransaction = { database, outer: currentWork().transaction, active: true }
    const begin = (): Promise<Result> => runWithin({ transaction }, () => work(view))
    try {
      return await (signal ? abortable(begin, signal) : begin())
    } finally {
      transaction.active = false
      attempt.end()
    }
  }

  /** Commits, or only verifies what was read. The failed check if the work has to run again. */
  const commit = async (attempt: TransactionAttempt): Promise<CommitCheck | undefined> => {
    const batch = attempt.batch()
    const { callbacks } = attempt
    if (batch.writes.length + callbacks.length === 0) return store.verify(batch.checks)
    const result = await store.commit(batch, { callbacks, replacements: attempt.replacements() })
    if (result.outcome === 'unique-violation') throw uniqueViolationError.create({ collection: result.collection, index: result.index })
    return result.outcome === 'conflict' ? result.check : undefined
  }

  return {
    async run<Result>(
      owner: string | undefined,
      work: (transaction: Transaction) => Promise<Result>,
      { signal }: { readonly signal?: AbortSignal } = {},
    ): Promise<Result> {
      if (isInside(database)) throw transactionNestedError.create({})
      const started = clock.monotonic()
      const isOver = (attempts: number): boolean => attempts >= maxAttempts || clock.monotonic() - started >= maxMilliseconds
      const suspects: DocumentReference[] = []
      for (let number = 1; ; number++) {
        if (number > 1) {
          if (isOver(number - 1)) throw conflictError.create({ attempts: number - 1 })
          await pause(Math.random() * Math.min(maxPauseMs, 2 * 2 ** number), { signal: signal ?? new AbortController().signal })
        }
        signal?.throwIfAborted()
        const known = suspects.length === 0 ? [] : await readAll(store, suspects)
        const attempt = new TransactionAttempt({ store, registry, fresh: number > 1, known })
        const isLast = isOver(number)
        let result: Result
        try {
          result = await runWork(attempt, owner, work, signal)
        } catch (error) {
          if (signal?.aborted || isLast || !(await sawChanges(attempt).catch(() => false))) throw error
          continue
        }
        signal?.throwIfAborted()
        if (attempt.isStale) continue
        const failed = await commit(attempt)
        if (!failed) return result
        const suspect = attempt.unseenInsert(failed)
        if (suspect) suspects.push(suspect)
      }
    },
    /** The kernel's view of a transaction that `run` passed to its work. */
    kernelView(transaction: Transaction): KernelTransaction {
      const attempt = attemptOf(transaction)
      if (!attempt) throw transactionEndedError.create({})
      return attempt.view()
    },
  }
}

async function readAll(store: Store, references: readonly DocumentReference[]): Promise<readonly KnownDocument[]> {
  const known: KnownDocument[] = []
  for (const reference of references) {
    const entry = await store.read(reference)
    if (entry) known.push({ ...reference, entry })
  }
  return known
}

/** Whether the caller is in an unfinished transaction of this database. */
function isInside(database: object): boolean {
  for (let around = currentWork().transaction; around; around = around.outer) if (around.active && around.database === database) return true
  return false
}
