import { type Problem, ServiceError } from '@agent-service/sdk'
import { invalidRequestError, type RouteError } from '@agent-service/sdk/contracts/http-route'

/** An error response as defined by RFC 9457, with this service's members. */
export interface ProblemDocument {
  readonly type: string
  readonly title: string
  readonly status: number
  readonly detail: string
  /** Stable, snake_case. */
  readonly code: string
  readonly request_id: string
  readonly errors?: readonly Problem[]
}

/** A problem document with its response headers. */
export interface ProblemAnswer {
  readonly document: ProblemDocument
  readonly headers: Readonly<Record<string, string>>
  /** Seconds, not rounded; `headers` have them too. */
  readonly retryAfterSeconds?: number
}

export const problemContentType = 'application/problem+json'

/** The statuses of another system's failure. */
export const isUpstreamStatus = (status: number): boolean => status === 502 || status === 504

/** Whether a route declares an error as one of its answers. */
export const isDeclared = (declared: readonly RouteError[] = [], { code, status }: Pick<RouteError, 'code' | 'status'>): boolean =>
  declared.some((error) => error.code === code && error.status === status)

/**
 * The part of an error that a client may see. Errors of this project below 500 are shown as they
 * are, and so are 503 and 507, which are meant for clients, and all above 500 that the route
 * declares. Every other error becomes `internal_error` without any of its text: also a declared 500,
 * which is a fault of the service, whatever its code.
 */
export function problemOf(error: unknown, requestId: string, declared: readonly RouteError[] = []): ProblemAnswer {
  const known = ServiceError.isInstance(error) && isShown(error, declared) ? error : undefined
  const status = known?.status ?? 500
  const code = known?.code ?? 'internal_error'
  return {
    document: {
      type: 'about:blank',
      title: known?.title ?? 'Internal error',
      status,
      detail: (known && detailOf(known)) ?? `An internal error occurred. The service's log has the details under request ${requestId}.`,
      code,
      request_id: requestId,
      ...(known && known.problems.length > 0 ? { errors: known.problems } : {}),
    },
    headers: headersOf(known, status),
    ...(known?.retryAfterSeconds !== undefined && { retryAfterSeconds: known.retryAfterSeconds }),
  }
}

const isShown = ({ code, status }: ServiceError, declared: readonly RouteError[]): boolean =>
  status < 500 || status === 503 || status === 507 || (status > 500 && isDeclared(declared, { code, status }))

/**
 * The message, and the first problem unless the message names it: path, what was expected, and the
 * kind of value that was given, if known.
 */
function detailOf(error: ServiceError): string {
  const { message, problems } = error
  const [first] = problems
  if (!first || message.includes(first.message)) return message
  const given = invalidRequestError.isInstance(error) ? error.details['given'] : undefined
  const place = first.path === '/' ? 'The whole' : first.path
  const found = typeof given === 'string' ? `, found ${given}` : ''
  const others = problems.length === 1 ? '' : ` (and ${problems.length - 1} more, see errors)`
  const problem = `${place} ${first.message}${found}${others}`
  return `${message} ${problem}${/[.?!]$/.test(problem) ? '' : '.'}`
}

function headersOf(error: ServiceError | undefined, status: number): Readonly<Record<string, string>> {
  const headers: Record<string, string> = {}
  if (error?.retryAfterSeconds !== undefined) headers['retry-after'] = String(Math.max(1, Math.ceil(error.retryAfterSeconds)))
  const allowed = error?.details['allowed']
  if (status === 405 && Array.isArray(allowed)) headers['allow'] = allowed.join(', ')
  const size = error?.details['size']
  if (status === 416 && typeof size === 'number') headers['content-range'] = `bytes */${size}`
  if (status === 426) Object.assign(headers, { upgrade: 'websocket', 'sec-websocket-version': '13' })
  if (status === 401) headers['www-authenticate'] = 'Bearer'
  return headers
}
