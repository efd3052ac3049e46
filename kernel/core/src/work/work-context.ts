import { AsyncLocalStorage } from 'node:async_hooks'

/** The context of the running code. It follows every promise and callback that the code starts. */
export interface WorkContext {
  /** The plugin whose code runs, of one host. */
  readonly plugin?: { readonly host: object; readonly id: string }
  /** The transactions inside which the code runs, outermost first. */
  readonly transactions?: readonly SurroundingTransaction[]
  /** The current request. */
  readonly operation?: SurroundingOperation
}

/** The current request; `open` until its handler has ended. Later work is no longer part of it. */
export interface SurroundingOperation {
  readonly operationId: string
  readonly requestId: string
  readonly address: string
  /** The user of the request; null if a public route was called without a credential. */
  readonly userId: string | null
  readonly sessionId: string | null
  readonly tokenId: string | null
  open: boolean
  /** Whether the audit log has an entry with the request's user as actor. */
  noted: boolean
}

/** A transaction; `active` until its work has ended. */
export interface SurroundingTransaction {
  /** The database that runs it. */
  readonly database: object
  active: boolean
}

/**
 * One storage for the whole process: each further one makes every promise more expensive, and is
 * never released.
 */
const storage = new AsyncLocalStorage<WorkContext>()

/** The context of the caller. */
export const currentWork = (): WorkContext => storage.getStore() ?? {}

/**
 * The current request of the caller; `undefined` outside a request, and once its handler has ended.
 */
export function currentOperation(): SurroundingOperation | undefined {
  const { operation } = currentWork()
  return operation?.open === true ? operation : undefined
}

/** Runs work with an extended context. */
export function runWithin<Result>(more: WorkContext, work: () => Result): Result {
  const current = storage.getStore()
  return storage.run(current ? { ...current, ...more } : more, work)
}

/** Runs work without a context. */
export const runOutside = <Result>(work: () => Result): Result => storage.exit(work)
