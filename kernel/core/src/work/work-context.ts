import { AsyncLocalStorage } from 'node:async_hooks'

/** What surrounds the code that is running, through every promise and callback that it starts. */
export interface WorkContext {
  /** The plugin whose work it is, of one host. */
  readonly plugin?: { readonly host: object; readonly id: string }
  /** The transactions whose work has begun around it, outermost first. */
  readonly transactions?: readonly SurroundingTransaction[]
  /** The request that is being answered. */
  readonly operation?: SurroundingOperation
}

/** A request that is being answered; `open` until its handler has ended. What goes on behind it is no longer part of it. */
export interface SurroundingOperation {
  readonly operationId: string
  readonly requestId: string
  readonly address: string
  /** Whoever asks; null where a public route is called without a credential. */
  readonly userId: string | null
  readonly sessionId: string | null
  readonly tokenId: string | null
  open: boolean
  /** Whether the audit log has an entry by the one who asks. */
  noted: boolean
}

/** A transaction whose work has begun; `active` until that has ended. */
export interface SurroundingTransaction {
  /** The database that runs it. */
  readonly database: object
  active: boolean
}

/** One storage for everything in the process that has to know: each further one makes every promise dearer, and is never given back. */
const storage = new AsyncLocalStorage<WorkContext>()

/** What surrounds the caller. */
export const currentWork = (): WorkContext => storage.getStore() ?? {}

/** The request that the caller answers; `undefined` outside of one, and once its handler has ended. */
export function currentOperation(): SurroundingOperation | undefined {
  const { operation } = currentWork()
  return operation?.open === true ? operation : undefined
}

/** Runs work with more around it. */
export const runWithin = <Result>(more: WorkContext, work: () => Result): Result => storage.run({ ...currentWork(), ...more }, work)

/** Runs work with nothing around it. */
export const runOutside = <Result>(work: () => Result): Result => storage.exit(work)
