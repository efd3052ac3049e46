import type { JsonObject } from '../../core/json.js'
import { listAt, objectAt } from '../common/json.js'
import { callFailure } from '../failures/call-failure.js'
import { classifyFailure, type FailureSign } from '../failures/classify.js'
import { readErrorValue } from '../failures/error-body.js'
import { saysError } from '../failures/error-document.js'
import { createResponseHeaders } from '../transport/upstream-response.js'

/**
 * Finish reasons with which brands report that the answer failed, although the HTTP status was 200.
 */
const failedFinishReasons: ReadonlySet<string> = new Set(['error', 'insufficient_system_resource'])

/** Fails if a chunk contains an error: at its root, or beside a choice. @throws a call failure. */
export function failIfError(chunk: JsonObject, signs: readonly FailureSign[] = []): void {
  const choiceError = objectAt(listAt(chunk, 'choices')[0], 'error')
  if (choiceError && saysError({ error: choiceError })) failWith({ error: choiceError }, signs)
  if (saysError(chunk)) failWith(chunk, signs)
}

/** Fails with the vendor's error. @throws a call failure. */
export function failWith(chunk: JsonObject, signs: readonly FailureSign[] = []): never {
  const headers = createResponseHeaders({})
  throw callFailure(classifyFailure({ status: 200, headers, body: readErrorValue(chunk), now: Date.now(), signs }))
}

/** Fails if the finish reason means a failure. @throws a call failure. */
export function failIfFailedReason(reason: string): void {
  if (!failedFinishReasons.has(reason)) return
  throw callFailure({
    failure: 'overloaded',
    retryable: true,
    reason: `The vendor ended the answer with “${reason}”.`,
    providerCode: reason,
  })
}
