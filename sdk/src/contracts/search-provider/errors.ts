import { defineError } from '../../core/errors.js'

/** The provider did not take the key, or the instance permits no access. */
export const searchUnauthorizedError = defineError<{ readonly provider: string; readonly reason: string }>({
  code: 'search_unauthorized',
  status: 502,
  title: 'Search provider refused the key',
  message: ({ provider, reason }) => `${provider} refused the request: ${reason}. An administrator has to look at its key or its settings.`,
})

/** Too many searches, or the plan is used up. */
export const searchRateLimitedError = defineError<{ readonly provider: string; readonly retryAfterMs?: number }>({
  code: 'search_rate_limited',
  status: 503,
  title: 'Search provider asks to wait',
  message: ({ provider, retryAfterMs }) =>
    `${provider} takes no more searches at the moment${retryAfterMs === undefined ? '' : ` for ${Math.ceil(retryAfterMs / 1_000)} s`}.`,
})

/** The provider cannot be reached, fails, is too slow, or its answer cannot be read. */
export const searchUnavailableError = defineError<{ readonly provider: string; readonly reason: string }>({
  code: 'search_unavailable',
  status: 503,
  title: 'Search not available',
  message: ({ provider, reason }) => `${provider} could not search: ${reason}.`,
})

/** The provider understood the query and does not take it. A retry does not help. */
export const searchQueryRefusedError = defineError<{ readonly provider: string; readonly reason: string }>({
  code: 'search_query_refused',
  status: 422,
  title: 'Search query refused',
  message: ({ provider, reason }) => `${provider} does not take the query: ${reason}.`,
})
