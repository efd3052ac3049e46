import { AsyncLocalStorage } from 'node:async_hooks'

/** The context of the running code. It follows every promise and callback that the code starts. */
export interface WorkContext {
  /** The plugin whose code runs. Each host has its own object for a plugin. */
  readonly plugin?: { readonly id: string } | undefined
  /** The innermost transaction inside which the code runs. */
  readonly transaction?: SurroundingTransaction | undefined
  /** The current request. */
  readonly operation?: SurroundingOperation | undefined
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
  readonly outer: SurroundingTransaction | undefined
  active: boolean
}

/**
 * One storage for the whole process: each further one makes every promise more expensive, and is
 * never released.
 */
const storage = new AsyncLocalStorage<WorkContext>()

const none: WorkContext = Object.freeze({})

/** The context of the caller. */
export const currentWork = (): WorkContext => storage.getStore() ?? none

/**
 * The current request of the caller; `undefined` outside a request, and once its handler has ended.
 */
export function currentOperation(): SurroundingOperation | undefined {
  const { operation } = currentWork()
  return operation?.open === true ? operation : undefined
}

/** Runs work with an extended context. */
export function runWithin<Result>(more: WorkContext, work: () => Result): Result {
  const around = currentWork()
  const { plugin = around.plugin, transaction = around.transaction, operation = around.operation } = more
  return storage.run({ plugin, transaction, operation }, work)
}

/** Runs work without a context. */
export const runOutside = <Result>(work: () => Result): Result => storage.exit(work)
