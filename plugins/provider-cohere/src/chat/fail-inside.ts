import type { JsonObject } from '@agent-service/sdk'
import { callFailure, classifyFailure, createResponseHeaders, readErrorValue } from '@agent-service/sdk/provider-kit'
import { cohereSigns } from './failure-signs.js'

/** Fails with the vendor's error inside an answer with status 200. @throws a call failure. */
export function failWith(document: JsonObject): never {
  const headers = createResponseHeaders({})
  throw callFailure(classifyFailure({ status: 200, headers, body: readErrorValue(document), now: Date.now(), signs: cohereSigns }))
}

/** Finish reasons with which Cohere reports that the answer failed. */
const failedReasons: ReadonlySet<string> = new Set(['ERROR', 'TIMEOUT', 'ERROR_LIMIT'])

/** Fails if the finish reason means a failure. @throws a call failure. */
export function failIfFailedReason(reason: string, error: string | undefined): void {
  if (!failedReasons.has(reason)) return
  if (error !== undefined) failWith({ message: error })
  throw callFailure({
    failure: reason === 'ERROR_LIMIT' ? 'context_overflow' : 'overloaded',
    retryable: reason !== 'ERROR_LIMIT',
    reason: `Cohere ended the answer with “${reason}”.`,
    providerCode: reason.toLowerCase(),
  })
}
