import { defineError, type ErrorOptions, type JsonObject, ServiceError } from '@agent-service/sdk'
import { type ProviderFailure, providerError } from '@agent-service/sdk/contracts/provider-adapter'

const unsupported = defineError<{ readonly param: string; readonly reason: string }>({
  code: 'unsupported_parameter',
  status: 400,
  title: 'Unsupported parameter',
  message: ({ param, reason }) => `${param} ${reason}`,
})

/**
 * A request uses something that this service does not support. `param` is its path, which clients
 * get as `param` of the error.
 */
export const unsupportedParameterError = {
  ...unsupported,
  create: (details: { readonly param: string; readonly reason: string }, options?: ErrorOptions) =>
    unsupported.create(details, { ...options, problems: [{ path: details.param, message: details.reason }] }),
}

/** No model group or agent has this name. */
export const modelNotFoundError = defineError<{ readonly model: string; readonly known: readonly string[] }>({
  code: 'model_not_found',
  status: 404,
  title: 'No such model',
  message: ({ model, known }) => `The model “${model}” does not exist. Known models: ${known.join(', ') || 'none'}.`,
})

/**
 * A failed model as clients see it: the vendor's text, and a status by which clients decide whether
 * to retry. Official clients retry 408, 409, 429 and 5xx, and some of them also every other status
 * from 406 on; so a failure that a retry cannot mend has one of 400, 402, 403, 404.
 */
const upstreamErrors = {
  refused: upstream('upstream_rejected', 400, 'Model call refused'),
  too_long: upstream('context_length_exceeded', 400, 'Conversation too long'),
  filtered: upstream('content_filter', 400, 'Content filtered'),
  unpaid: upstream('upstream_quota_exceeded', 402, 'Quota of the model used up'),
  forbidden: upstream('upstream_authentication_failed', 403, 'Credential of the model refused'),
  unknown: upstream('upstream_model_not_found', 404, 'Model not known to its vendor'),
  limited: upstream('upstream_rate_limited', 429, 'Model rate limited'),
  unavailable: upstream('upstream_unavailable', 503, 'Model not available'),
}

function upstream(code: string, status: number, title: string) {
  return defineError<{ readonly reason: string; readonly failure: string }>({ code, status, title, message: ({ reason }) => reason })
}

const kinds: Readonly<Record<ProviderFailure, keyof typeof upstreamErrors>> = {
  authentication: 'forbidden',
  quota_exceeded: 'unpaid',
  rate_limited: 'limited',
  overloaded: 'unavailable',
  transport: 'unavailable',
  timeout: 'unavailable',
  truncated: 'unavailable',
  context_overflow: 'too_long',
  bad_request: 'refused',
  model_not_found: 'unknown',
  content_filtered: 'filtered',
  invalid_response: 'unavailable',
}

/** The error for the caller of a model that failed in this way. */
export function upstreamError(failure: string, reason: string, options?: ErrorOptions): ServiceError {
  const kind = upstreamErrors[kinds[failure as ProviderFailure] ?? 'unavailable']
  return kind.create({ reason, failure }, options)
}

/**
 * Converts the error of an inference for the caller. Errors that are not provider errors stay
 * unchanged.
 */
export function callerError(error: unknown): unknown {
  if (!providerError.isInstance(error)) return error
  const { retryAfterSeconds } = error
  const options = { cause: error, ...(retryAfterSeconds !== undefined && { retryAfterSeconds }) }
  return upstreamError(String(error.details['failure']), error.message, options)
}

/** The `error` object that clients of the protocol expect. */
export const openAiError = (error: {
  readonly status: number
  readonly code: string
  readonly message: string
  readonly param?: string | null
}): JsonObject => ({ error: { message: error.message, type: typeOf(error.status), param: error.param ?? null, code: error.code } })

/**
 * The same for an answer that has begun, when the status was already sent. Reveals no internals.
 */
export function openAiErrorOf(error: unknown): JsonObject {
  const known = callerError(error)
  if (ServiceError.isInstance(known) && known.status !== 500) return openAiError(known)
  return openAiError({ status: 500, code: 'internal_error', message: 'An internal error occurred in the service.' })
}

function typeOf(status: number): string {
  if (status === 401) return 'authentication_error'
  if (status === 402) return 'insufficient_quota'
  if (status === 403) return 'permission_error'
  if (status === 429) return 'rate_limit_error'
  return status >= 500 ? 'server_error' : 'invalid_request_error'
}
