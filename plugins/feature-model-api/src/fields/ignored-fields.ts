import { ServiceError } from '@agent-service/sdk'
import type { RouteResponse } from '@agent-service/sdk/contracts/http-route'

/** Far more than a header has room for. */
const maxNames = 100

/** The members of one request that have no effect, without their values. */
export interface IgnoredFields {
  /** `path` may have positions, `messages[3].audio`; they are left out. */
  add(path: string): void
  /** Each name once, in the order in which they were added: `messages[].audio`. */
  names(): readonly string[]
}

export function createIgnoredFields(): IgnoredFields {
  const names = new Set<string>()
  return {
    add(path) {
      if (names.size < maxNames) names.add(path.slice(0, 200).replaceAll(/\[\d+\]/g, '[]'))
    },
    names: () => [...names],
  }
}

/**
 * Answers a request so that its ignored members are named in `X-Ignored-Parameters`, also if it is refused or its
 * answer is streamed.
 */
export async function namingIgnored(handle: (ignored: IgnoredFields) => Promise<RouteResponse>): Promise<RouteResponse> {
  const ignored = createIgnoredFields()
  let response: RouteResponse
  try {
    response = await handle(ignored)
  } catch (error) {
    throw ServiceError.isInstance(error) ? withIgnored(error, ignored.names()) : error
  }
  const names = ignored.names()
  return names.length === 0 ? response : { ...response, headers: { ...response.headers, 'x-ignored-parameters': names.join(', ') } }
}

/** The same error with `ignored_parameters` among its details, which the service names in the header of its answer. */
function withIgnored(error: ServiceError, names: readonly string[]): ServiceError {
  if (names.length === 0) return error
  const { code, status, title, message, cause, problems, retryAfterSeconds } = error
  const named = new ServiceError({
    ...{ code, status, title, message },
    details: { ...error.details, ignored_parameters: names },
    options: { ...(cause !== undefined && { cause }), problems, ...(retryAfterSeconds !== undefined && { retryAfterSeconds }) },
  })
  // The log says where the error came from, not where it was copied.
  if (error.stack !== undefined) named.stack = error.stack
  return named
}
