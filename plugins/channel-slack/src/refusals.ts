import {
  type ChannelRefusal,
  channelOutcomeUnknownError,
  channelRejectedError,
  channelThrottledError,
  channelUnauthorizedError,
  channelUnavailableError,
} from '@agent-service/sdk/contracts/channel'

/** What errors call the vendor. */
export const slack = 'Slack'

/** What a call was for: what an unknown refusal means depends on it. */
export interface CallPurpose {
  /** A message is on its way. */
  readonly sending?: boolean
  /** It is about one message or file; otherwise about the connection. */
  readonly single?: boolean
  /** A scope without which this call alone is refused. */
  readonly scope?: string
}

const credentials: Readonly<Record<string, ChannelRefusal>> = {
  not_authed: 'wrong',
  invalid_auth: 'wrong',
  not_allowed_token_type: 'wrong',
  token_expired: 'expired',
  token_revoked: 'revoked',
  account_inactive: 'revoked',
  org_login_required: 'unknown',
  ekm_access_denied: 'unknown',
  team_access_not_granted: 'missing_permission',
  access_denied: 'missing_permission',
  missing_scope: 'missing_permission',
  no_permission: 'missing_permission',
}

/** What may concern one conversation alone: then only what was for it is refused. */
const perhapsOfOne: ReadonlySet<string> = new Set(['ekm_access_denied', 'team_access_not_granted', 'access_denied', 'no_permission'])

const throttled: ReadonlySet<string> = new Set(['ratelimited', 'rate_limited', 'message_limit_exceeded'])
const unavailable: ReadonlySet<string> = new Set(['service_unavailable', 'team_added_to_org', 'accesslimited'])
const failed: ReadonlySet<string> = new Set(['fatal_error', 'internal_error', 'request_timeout'])

/** The error of the contract for the `error` of an answer. Only codes of plain form are repeated. */
export function refusalOf(code: unknown, { sending = false, single = sending, scope }: CallPurpose, retryAfterMs?: number): Error {
  const name = typeof code === 'string' && /^[a-z_]{1,60}$/.test(code) ? code : 'no known error'
  if (name === 'missing_scope' && scope !== undefined) return rejected(`the app lacks the scope “${scope}”`)
  const refusal = Object.hasOwn(credentials, name) ? credentials[name] : undefined
  if (single && perhapsOfOne.has(name)) return rejected(`it answers “${name}”`)
  if (refusal !== undefined) return channelUnauthorizedError.create({ channel: slack, reason: refusal })
  if (throttled.has(name)) return channelThrottledError.create({ channel: slack, retryAfterMs: retryAfterMs ?? 1_000 })
  const reason = `it answers “${name}”`
  if (unavailable.has(name) || (failed.has(name) && !sending)) return channelUnavailableError.create({ channel: slack, reason })
  if (failed.has(name)) return channelOutcomeUnknownError.create({ channel: slack, reason })
  return single ? rejected(reason) : channelUnavailableError.create({ channel: slack, reason })
}

/** A refusal of one message or file. */
export const rejected = (reason: string): Error => channelRejectedError.create({ channel: slack, reason })
