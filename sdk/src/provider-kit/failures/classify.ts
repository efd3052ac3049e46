import type { ProviderFailure } from '../../contracts/provider-adapter/index.js'
import { requestIdOf } from '../answers/request-id.js'
import type { ResponseHeaders } from '../transport/upstream-response.js'
import { type ErrorBody, quotaOfTheDay } from './error-body.js'
import type { FailureReport } from './failure-report.js'
import { rateLimitsOf } from './rate-limits.js'
import { retryAfterOf } from './retry-after.js'

/**
 * A sign in a vendor's code or text that is more specific than the status. It matches by one of the
 * codes or by the text.
 */
export interface FailureSign {
  /** What it means. */
  readonly failure: ProviderFailure
  /** Codes and types, in lower case. */
  readonly codes?: readonly string[]
  /** Tested against the first 4,000 characters of the message. */
  readonly text?: RegExp
  /** Statuses for which the sign counts. Default: all. */
  readonly statuses?: readonly number[]
  /** Statuses for which it does not count. Default: none. */
  readonly exceptStatuses?: readonly number[]
  /** Default: by the kind of failure. */
  readonly retryable?: boolean
}

const overflowText = new RegExp(
  [
    'context_length_exceeded',
    'maximum context length',
    'exceeds (the|your) (input )?context window',
    'exceeds the context window',
    'maximum prompt length is',
    'reduce the length of the messages',
    'too large for model with \\d+ maximum context length',
    'exceeded model token limit',
    'prompt token count of .{1,20} exceeds the limit',
    'exceeds the available context size',
    'greater than the context length',
    'prompt (is )?too long',
    'total length of all messages is too long',
    'input is too long for requested model',
    'max_new_tokens. must be <=',
    'maximum (model|input|sequence) length',
    'range of input length should be',
    '(context (length|size|window|limit)|maximum context|max_model_len|max_seq_len)( \\S+){0,4} (was |is |has been )?exceeded',
    'exceed(s|ed|ing)? (the )?(\\S+ ){0,4}(context (length|size|window|limit)|max_model_len|max_seq_len)',
    'longer than the model.{1,3}s context length',
    'context (the )?overflow',
    'loaded with context length of only',
    'inputs. must have less than',
    'prompt exceeds max(imum)? length',
    '上下文.{0,20}(超|过长)|(超出|超过).{0,20}(上下文|最大长度)|输入过长',
  ].join('|'),
  'i',
)

const filterCodes = [
  'content_filter',
  'content_policy_violation',
  'moderation_blocked',
  'content_filtered',
  'data_inspection_failed',
  'datainspectionfailed',
  'sensitive_words_detected',
]

/** What vendors write when money or a quota of hours, days or months is used up, which no short wait brings back. */
const usedUpText = new RegExp(
  [
    'insufficient[\\s_-](\\S+[\\s_-])?(balance|credits?|funds|quota)',
    'credit balance',
    'exceeded your current quota',
    '(out of|not enough|used all( available)?|not have any|n.t have any) credits',
    'credits are depleted',
    'payment required',
    'billing hard limit',
    '(spend|spending|key|credit) limit (was |is |has been )?(reached|exceeded)',
    '(reaching|reached) (your|its|the|a) (\\S+ ){0,3}(spend|spending|usage) limit',
    '\\b(hourly|daily|weekly|monthly) (usage|spend|spending|token|request) (limit|quota)',
    '(?<!concurren\\w{1,3} )usage limit (reached|for this billing cycle)',
    'free-models-per-day',
    'trial key.{0,80}/ ?month',
    '余额不足|额度不足|欠费',
  ].join('|'),
  'i',
)

/** By its text alone: a vendor that names a short wait beside it means a limit that passes. */
const usedUpSign: FailureSign = { failure: 'quota_exceeded', text: usedUpText }

/** A longer wait is one for money or another day. */
const shortWaitMs = 60_000

/** Signs that mean the same for all vendors. The first match wins. */
const commonSigns: readonly FailureSign[] = [
  // Google's texts mention quota and billing for every limit, also through other protocols and gateways: its codes come first.
  { failure: 'quota_exceeded', codes: [quotaOfTheDay] },
  { failure: 'quota_exceeded', text: /credits are depleted|limit: 0\b(?!\.\d)/i, statuses: [429] },
  { failure: 'rate_limited', codes: ['resource_exhausted'] },
  {
    failure: 'quota_exceeded',
    codes: [
      'insufficient_quota',
      'exceeded_current_quota_error',
      'billing_hard_limit_reached',
      'billing_not_active',
      'insufficient_balance',
      'quota_exceeded',
      'insufficient_user_quota',
      'insufficient_credits',
      'insufficient_funds',
      'pre_consume_token_quota_failed',
      'organization_spend_limit_exceeded',
      'project_spend_limit_exceeded',
      'organization_usage_limit_exceeded',
      'credit_balance_exhausted',
      'payment_required',
      'usage_limit_reached',
      'arrearage',
    ],
  },
  // Texts about limits of a minute tell that paid plans have higher ones.
  { failure: 'rate_limited', text: /(per|an?|\/)[ -]?(minute|second)\b|\bper-min\b|\b[RT]PM\b/i, statuses: [429] },
  usedUpSign,
  {
    failure: 'overloaded',
    codes: [
      'engine_overloaded_error',
      'overloaded_error',
      'insufficient_system_resource',
      'server_error',
      'service_unavailable',
      'unavailable',
    ],
  },
  {
    failure: 'context_overflow',
    codes: [
      'context_length_exceeded',
      'too_many_prompt_tokens',
      'exceed_context_size_error',
      'too_many_tokens',
      'model_max_prompt_tokens_exceeded',
    ],
    exceptStatuses: [429],
  },
  {
    failure: 'rate_limited',
    text: /tokens per (minute|day)|\bTPM\b|requests per (minute|day)|rate limit (was )?(reached|exceeded)|too many requests/i,
    statuses: [400, 413, 429],
  },
  { failure: 'context_overflow', text: overflowText, exceptStatuses: [401, 403, 404, 429] },
  {
    failure: 'rate_limited',
    codes: [
      'rate_limit_exceeded',
      'rate_limit_reached_error',
      'rate_limit_error',
      'rate_limited',
      'too_many_requests',
      'throttling',
      'throttling.ratequota',
      'throttling.allocationquota',
    ],
  },
  { failure: 'content_filtered', codes: filterCodes },
  {
    failure: 'content_filtered',
    text: /flagged by moderation|requires moderation|content management policy|(blocked|rejected|refused) by .{0,20}content.?filter/i,
    statuses: [400, 403],
  },
  { failure: 'invalid_response', codes: ['tool_use_failed'], retryable: true },
  {
    failure: 'authentication',
    codes: ['invalid_api_key', 'authentication_error', 'invalid_authentication_error', 'permission_denied', 'unauthorized'],
  },
  { failure: 'authentication', text: /(incorrect|invalid|no valid) api[ -]?key|api key not valid|api key is invalid/i },
  { failure: 'model_not_found', codes: ['model_not_found', 'model_not_available', 'invalid_model', 'deploymentnotfound'] },
  {
    failure: 'model_not_found',
    text: /model .{0,200}(does not exist|not found|is not available)|(no such|unknown|invalid) model/i,
    statuses: [400, 404],
  },
]

/**
 * Signs that count only where no status says more: in an error inside a stream. Its text alone
 * decides whether another attempt can succeed.
 */
const statuslessSigns: readonly FailureSign[] = [
  {
    failure: 'rate_limited',
    text: /rate.?limit|too many requests|(tokens|requests) per (minute|day|second)|\bTPM\b|请求(过于)?频繁|限流|速率限制/i,
  },
  {
    failure: 'content_filtered',
    text: /flagged by|moderation|content[ _-]?(filter|management policy|policy|safety)|inappropriate content|sensitive (content|words?)|敏感|违规/i,
  },
  {
    failure: 'model_not_found',
    text: /model .{0,200}(does not exist|not found|is not available)|(no such|unknown|invalid) model/i,
  },
  {
    failure: 'authentication',
    codes: ['invalid_key', 'forbidden', 'access_denied', 'permission_error', 'token_expired'],
    text: /\bunauthori[sz]ed\b|authentication (failed|error)|api[ _-]?key (is )?(invalid|expired|missing)/i,
  },
  {
    failure: 'bad_request',
    codes: [
      'invalid_request_error',
      'invalid_request',
      'bad_request',
      'badrequesterror',
      'invalid_parameter',
      'invalidparameter',
      'invalid_parameter_error',
      'invalid_argument',
      'invalid_value',
      'unsupported_parameter',
      'unsupported_value',
      'validation_error',
      'validation',
      'not_found',
    ],
  },
]

const retryableFailures: ReadonlySet<ProviderFailure> = new Set([
  'rate_limited',
  'overloaded',
  'transport',
  'timeout',
  'truncated',
  'invalid_response',
])

/** The input of {@link classifyFailure}. */
export interface RefusedAnswer {
  /** 200 for an error inside a stream. */
  readonly status: number
  /** The head of the answer. */
  readonly headers: ResponseHeaders
  /** What its body says. */
  readonly body: ErrorBody
  /** In milliseconds since 1970, for dates in the head. */
  readonly now: number
  /** The family's own signs; tested first, in order. */
  readonly signs?: readonly FailureSign[]
}

/** Classifies an answer that failed: the vendor's code and text first, then the status. */
export function classifyFailure(input: RefusedAnswer): FailureReport {
  const { headers, body } = input
  const status = input.status >= 200 && input.status < 300 ? (body.status ?? statusIn(body.message)) : input.status
  const retryAfterMs = retryAfterOf(headers, body, input.now)
  const found = signOf(body, status, input.signs)
  const isShort = status === 429 && retryAfterMs !== undefined && retryAfterMs <= shortWaitMs
  const sign = found === usedUpSign && isShort ? undefined : found
  const failure = sign?.failure ?? failureOfStatus(status, body)
  const advice = headers.get('x-should-retry')
  const requestId = requestIdOf(headers)
  const rateLimits = rateLimitsOf(headers, input.now)
  return {
    failure,
    retryable: advice === 'true' ? true : advice === 'false' ? false : (sign?.retryable ?? retryableFailures.has(failure)),
    reason: body.message,
    ...(status !== undefined && { httpStatus: status }),
    ...(body.codes[0] !== undefined && { providerCode: body.codes[0].slice(0, 200) }),
    ...(requestId !== undefined && { providerRequestId: requestId }),
    ...(retryAfterMs !== undefined && { retryAfterMs }),
    ...(rateLimits.length > 0 && { rateLimits }),
  }
}

/** The first sign in a body: the family's, those of all vendors, and those of errors without a status. */
export const signOf = (body: ErrorBody, status: number | undefined, signs: readonly FailureSign[] = []): FailureSign | undefined =>
  [...signs, ...commonSigns, ...(status === undefined ? statuslessSigns : [])].find((candidate) => fits(candidate, status, body))

/** The status that a relay puts into its words: “bad response status code 502”, “Error code: 429 - …”, “HTTP 503”. */
export function statusIn(message: string): number | undefined {
  const status = /\b(?:status(?: code)?|error code|HTTP(?:\/\d(?:\.\d)?)?)[\s:=]{1,3}([45]\d\d)\b/i.exec(message.slice(0, 4_000))?.[1]
  return status === undefined ? undefined : Number(status)
}

function fits(sign: FailureSign, status: number | undefined, body: ErrorBody): boolean {
  if (sign.statuses && (status === undefined || !sign.statuses.includes(status))) return false
  if (sign.exceptStatuses && status !== undefined && sign.exceptStatuses.includes(status)) return false
  return sign.codes?.some((code) => body.codes.includes(code)) === true || sign.text?.test(body.message.slice(0, 4_000)) === true
}

/** Temporary statuses: time-outs, conflicts, capacity, and those of edge proxies. */
const transientStatuses: ReadonlySet<number> = new Set([408, 409, 424, 425, 498])

function failureOfStatus(status: number | undefined, body: ErrorBody): ProviderFailure {
  // An error inside a stream whose status was 200.
  if (status === undefined) return 'overloaded'
  if (status === 401 || status === 403) return 'authentication'
  if (status === 402) return 'quota_exceeded'
  if (status === 429) return 'rate_limited'
  if (status >= 500 || transientStatuses.has(status)) return 'overloaded'
  // An unknown path answers 404 too; only a body in the vendor's words speaks of the model.
  if (status === 404 && body.raw !== undefined) return 'model_not_found'
  if ((status === 400 || status === 413) && body.raw === undefined && body.message === 'The answer has no body.') return 'context_overflow'
  return 'bad_request'
}
