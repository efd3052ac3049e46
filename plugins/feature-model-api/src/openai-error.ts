import { defineError, type ErrorOptions, type JsonObject, type Problem, ServiceError } from '@agent-service/sdk'
import type { RouteProblem } from '@agent-service/sdk/contracts/http-route'
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
 * to retry.
 */
const upstreamErrors = {
  invalid: upstream('upstream_rejected', 400, 'Model call refused'),
  limited: upstream('upstream_rate_limited', 429, 'Model rate limited'),
  unavailable: upstream('upstream_unavailable', 503, 'Model not available'),
}

function upstream(code: string, status: number, title: string) {
  return defineError<{ readonly reason: string; readonly failure: string }>({ code, status, title, message: ({ reason }) => reason })
}

const kinds: Readonly<Record<ProviderFailure, keyof typeof upstreamErrors>> = {
  authentication: 'unavailable',
  quota_exceeded: 'unavailable',
  rate_limited: 'limited',
  overloaded: 'unavailable',
  transport: 'unavailable',
  timeout: 'unavailable',
  truncated: 'unavailable',
  context_overflow: 'invalid',
  bad_request: 'invalid',
  model_not_found: 'unavailable',
  content_filtered: 'invalid',
  invalid_response: 'unavailable',
}

/**
 * Converts the error of an inference for the caller. Errors that are not provider errors stay
 * unchanged.
 */
export function callerError(error: unknown): unknown {
  if (!providerError.isInstance(error)) return error
  const failure = String(error.details['failure']) as ProviderFailure
  const kind = upstreamErrors[kinds[failure] ?? 'unavailable']
  const { retryAfterSeconds } = error
  return kind.create({ reason: error.message, failure }, { cause: error, ...(retryAfterSeconds !== undefined && { retryAfterSeconds }) })
}

/** The `error` object that clients of the protocol expect. */
export function openAiError({ status, code, detail, errors }: RouteProblem & { readonly errors?: readonly Problem[] }): JsonObject {
  return { error: { message: detail, type: typeOf(status), param: errors?.[0]?.path ?? null, code } }
}

/**
 * The same for an answer that has begun, when the status was already sent. Reveals no internals.
 */
export function openAiErrorOf(error: unknown): JsonObject {
  const known = callerError(error)
  if (ServiceError.isInstance(known) && known.status !== 500)
    return openAiError({ status: known.status, code: known.code, detail: known.message })
  return openAiError({ status: 500, code: 'internal_error', detail: 'An internal error occurred in the service.' })
}

function typeOf(status: number): string {
  if (status === 401) return 'authentication_error'
  if (status === 403) return 'permission_error'
  if (status === 429) return 'rate_limit_error'
  return status >= 500 ? 'server_error' : 'invalid_request_error'
}
