import { type CallFailure, callFailure, isCallFailure } from './call-failure.js'

const words = Symbol('unreadable words')

/**
 * The failure for a piece of an answer that is no document. Where its text says what went wrong
 * (“insufficient balance”), {@link unreadableWords} gives that to the classification.
 */
export const unreadable = (reason: string, text?: string, cause?: unknown): CallFailure =>
  Object.assign(callFailure({ failure: 'invalid_response', retryable: true, reason }, cause), text === undefined ? {} : { [words]: text })

/** The text of a failure that {@link unreadable} made. */
export const unreadableWords = (error: unknown): string | undefined =>
  isCallFailure(error) ? (error as CallFailure & { readonly [words]?: string })[words] : undefined
