import type { FailureSign } from '@agent-service/sdk/provider-kit'

/** Signs of failures that only Cohere has. */
export const cohereSigns: readonly FailureSign[] = [
  // For another vendor this status means missing capacity.
  { failure: 'authentication', text: /./s, statuses: [498] },
  { failure: 'authentication', text: /invalid api token|no api key supplied/i },
  // The request was cancelled on the way.
  { failure: 'overloaded', text: /./s, statuses: [499] },
  { failure: 'context_overflow', text: /^too many tokens/i, statuses: [400, 413, 422] },
  // Trial keys have a monthly limit, which a short wait does not lift, and one per minute.
  { failure: 'quota_exceeded', text: /(\/|per|this|each)\s*month|monthly/i, statuses: [402, 429] },
]
