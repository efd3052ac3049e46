import type { JsonValue } from '../../core/json.js'
import { isObject, listAt, objectAt, parseJson, textAt } from '../common/json.js'

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
  const parsed = parseJson(text)
  if (parsed !== undefined && typeof parsed !== 'string') return readErrorValue(parsed)
  const plain = /^\s*</.test(text) ? textOfHtml(text) : (typeof parsed === 'string' ? parsed : text).trim()
  return { message: plain === '' ? 'The answer has no body.' : plain, codes: [], status: undefined, raw: undefined }
}

/**
 * Reads an error from parsed JSON: `error.message`, `error` as a text, `message`, `detail`,
 * `errors`, in this order.
 */
export function readErrorValue(value: JsonValue): ErrorBody {
  const body = Array.isArray(value) ? (value[0] ?? null) : value
  const error = objectAt(body, 'error')
  const root = isObject(body) ? body : undefined
  const codes = [error?.['code'], error?.['type'], root?.['code'], root?.['type'], root?.['error_type']]
    .filter((entry) => typeof entry === 'string' || (typeof entry === 'number' && !isErrorStatus(entry)))
    .map((entry) => String(entry).toLowerCase())
  const status = [error?.['code'], root?.['code']].find(isErrorStatus)
  return { message: messageIn(body), codes, status: status === undefined ? undefined : Number(status), raw: value }
}

/** Relays send statuses as codes. Any other number is the vendor's own code, which says nothing in terms of HTTP. */
const isErrorStatus = (code: JsonValue | undefined): boolean =>
  (typeof code === 'number' || typeof code === 'string') && /^[45]\d\d$/.test(String(code))

function messageIn(body: JsonValue): string {
  const error = objectAt(body, 'error')
  const relayed = textAt(objectAt(error, 'metadata'), 'raw')
  const nested = error && (textAt(error, 'message') ?? (isObject(error['message']) ? JSON.stringify(error['message']) : undefined))
  if (nested !== undefined) return relayed === undefined ? nested : `${nested}: ${relayed}`
  const plain = textAt(body, 'error') ?? textAt(body, 'message') ?? textAt(body, 'detail')
  if (plain !== undefined) return plain
  const message = objectAt(body, 'message')
  if (message) return JSON.stringify(message)
  const details = [...listAt(body, 'detail'), ...listAt(body, 'errors')].map(detailText)
  return details.length > 0 ? details.join('; ') : JSON.stringify(body)
}

const detailText = (detail: JsonValue): string => {
  const message = textAt(detail, 'msg') ?? textAt(detail, 'message') ?? JSON.stringify(detail)
  const place = listAt(detail, 'loc').join('.')
  return place === '' ? message : `${place}: ${message}`
}

const textOfHtml = (html: string): string =>
  html
    .slice(0, 20_000)
    .replace(/<(script|style)[\s\S]*?<\/\1>/gi, ' ')
    .replace(/<[^<>]*>/g, ' ')
    .replace(/\s+/g, ' ')
    .trim()
