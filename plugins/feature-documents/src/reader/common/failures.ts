/** Why a document has no text. What readers of formats throw beside this is a damaged document. */
export interface Failure extends Error {
  readonly failure: 'unreadable' | 'too-costly' | 'type-unknown'
}

const failureOf = (failure: Failure['failure'], message: string): Failure => Object.assign(new Error(message), { failure })

/** The document is damaged, encrypted or hostile. The reason follows “cannot be read:”. */
export const unreadable = (reason: string): Failure => failureOf('unreadable', reason)

/** The document takes more than it may. The limit follows “it takes more than”. */
export const tooCostly = (limit: string): Failure => failureOf('too-costly', limit)

/** No format of this type is read. */
export const typeUnknown = (mediaType: string): Failure => failureOf('type-unknown', mediaType)

export const isFailure = (error: unknown): error is Failure => error instanceof Error && 'failure' in error
