import type { JsonObject, JsonValue } from '../../core/json.js'
import { isObject, listAt, objectAt, parseJson, textAt } from '../common/json.js'
import { textOfMarkup } from './web-page.js'

/** An error body, in any of the brands' formats. */
export interface ErrorBody {
  /** Its text for people; never empty. */
  readonly message: string
  /** Codes and types, lower-cased, most specific first; a number that is no HTTP status as its digits. */
  readonly codes: readonly string[]
  /** The HTTP status of an error in the body, as sent by relays inside a stream. */
  readonly status: number | undefined
  /** The parsed body, if it was JSON. */
  readonly raw: JsonValue | undefined
  /**
   * When a retry may succeed, in milliseconds, if the body has a member for it. A head that says it
   * too wins.
   */
  readonly retryAfterMs?: number
}

/** Reads an error from a body's text, regardless of its content type. */
export function readErrorText(text: string): ErrorBody {
  const parsed = parseJson(text) ?? parseJson(dataOfEvents(text))
  if (parsed !== undefined && typeof parsed !== 'string') return readErrorValue(parsed)
  const plain = /^\s*</.test(text) ? textOfMarkup(text) : (typeof parsed === 'string' ? parsed : text).trim()
  return { message: plain === '' ? 'The answer has no body.' : plain, codes: [], status: undefined, raw: undefined }
}

/** The data of the first event, in a refusal that is framed as a stream. */
function dataOfEvents(text: string): string {
  const lines = text.slice(0, 64 * 1024).split(/\r\n|\n|\r/)
  const first = lines.findIndex((line) => /^(data|error):/.test(line))
  const end = lines.findIndex((line, index) => index > first && line === '')
  const event = first < 0 ? [] : lines.slice(first, end < 0 ? undefined : end)
  return event.map((line) => line.replace(/^(data|error): ?/, '')).join('\n')
}

/**
 * Reads an error from parsed JSON: `error.message`, `error` as a text, `message`, `detail`,
 * `errors`, in this order.
 */
export function readErrorValue(value: JsonValue): ErrorBody {
  const body = Array.isArray(value) ? (value[0] ?? null) : value
  const error = objectAt(body, 'error')
  const root = isObject(body) ? body : undefined
  const outcome = objectAt(body, 'base_resp')?.['status_code']
  const given = [
    ...[error?.['code'], error?.['type'], root?.['code'], root?.['type'], root?.['error_type'], error?.['status']],
    ...[root?.['error_code'], root?.['errorCode'], outcome, miniMaxCodes[String(outcome)]],
  ]
  const codes = given
    .filter((entry) => (typeof entry === 'string' && entry !== '') || (typeof entry === 'number' && !isErrorStatus(entry)))
    .map((entry) => String(entry).toLowerCase())
  if (namesDailyQuota(error)) codes.unshift(quotaOfTheDay)
  const status = [error?.['code'], root?.['code'], error?.['status'], ...statusNames.map((name) => root?.[name])].find(isErrorStatus)
  return { message: messageIn(body), codes, status: status === undefined ? undefined : Number(status), raw: value }
}

/** Among the codes if Google's details name a daily quota, which is not worth waiting for. */
export const quotaOfTheDay = 'quota_per_day'

const namesDailyQuota = (error: JsonObject | undefined): boolean =>
  listAt(error, 'details')
    .flatMap((detail) => listAt(detail, 'violations'))
    .some((violation) => /PerDay/i.test(textAt(violation, 'quotaId') ?? ''))

/** Where frameworks of gateways write the status. */
const statusNames = ['status', 'statusCode', 'status_code', 'http_code'] as const

/**
 * What the codes of MiniMax mean (platform.minimax.io/docs/api-reference/errorcode): they come with
 * status 200, in `base_resp`, also through gateways.
 */
const miniMaxCodes: Readonly<Record<string, string>> = {
  1000: 'server_error',
  1001: 'server_error',
  1002: 'rate_limit_exceeded',
  1004: 'invalid_api_key',
  1008: 'insufficient_balance',
  1013: 'server_error',
  1024: 'server_error',
  1026: 'content_filter',
  1027: 'content_filter',
  1033: 'server_error',
  1039: 'rate_limit_exceeded',
  1041: 'rate_limit_exceeded',
  1042: 'invalid_request_error',
  2013: 'invalid_request_error',
  2045: 'rate_limit_exceeded',
  2049: 'invalid_api_key',
  2056: 'usage_limit_reached',
}

/** Relays send statuses as codes. Any other number is the vendor's own code, which says nothing in terms of HTTP. */
const isErrorStatus = (code: JsonValue | undefined): boolean =>
  (typeof code === 'number' || typeof code === 'string') && /^[45]\d\d$/.test(String(code))

function messageIn(body: JsonValue): string {
  const error = objectAt(body, 'error')
  const relayed = textAt(objectAt(error, 'metadata'), 'raw')
  const nested = error && (textAt(error, 'message') ?? (isObject(error['message']) ? JSON.stringify(error['message']) : undefined))
  if (nested !== undefined) return relayed === undefined ? nested : `${nested}: ${relayed}`
  const [title, words] = [textAt(body, 'error'), plainWords(body) ?? plainWords(error ?? null)]
  // Frameworks put the name of the status into `error`, and what happened beside it.
  if (title !== undefined && words !== undefined && !words.includes(title)) return `${title}: ${words}`
  const plain = words ?? title ?? textAt(objectAt(body, 'base_resp'), 'status_msg')
  if (plain !== undefined) return plain
  const message = objectAt(body, 'message')
  if (message) return JSON.stringify(message)
  const details = [...listAt(body, 'detail'), ...listAt(body, 'errors')].map(detailText)
  return details.length > 0 ? details.join('; ') : JSON.stringify(body)
}

/** The members in which vendors and frameworks have words for people. */
export const wordNames = ['message', 'detail', 'msg', 'error_msg', 'error_message', 'errorMessage', 'Message', 'title'] as const

const plainWords = (value: JsonValue): string | undefined => wordNames.map((name) => textAt(value, name)).find((text) => text !== undefined)

const detailText = (detail: JsonValue): string => {
  const message = textAt(detail, 'msg') ?? textAt(detail, 'message') ?? JSON.stringify(detail)
  const place = listAt(detail, 'loc').join('.')
  return place === '' ? message : `${place}: ${message}`
}
