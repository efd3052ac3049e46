import { type ModelRequest, providerError } from '../../contracts/provider-adapter/index.js'
import type { ServiceError } from '../../core/errors.js'
import type { FailureReport } from './failure-report.js'

const reasonLimit = 2_000

/**
 * Makes the provider error of a failed call. Its reason is cut, and free of the key and other
 * secrets however the vendor repeated them.
 */
export function toProviderError(
  report: FailureReport,
  request: Pick<ModelRequest, 'connection' | 'model'>,
  { cause, secrets = [] }: { readonly cause?: unknown; readonly secrets?: readonly string[] } = {},
): ServiceError {
  const { reason, ...rest } = report
  const keys = [request.connection.apiKey, ...secrets].filter((key): key is string => key !== undefined && key !== '')
  return providerError.create(
    {
      ...rest,
      connection: request.connection.handle,
      model: request.model,
      reason: cutText(redactKeys(reason, keys), reasonLimit),
    },
    {
      ...(cause !== undefined && { cause }),
      ...(report.retryAfterMs !== undefined && { retryAfterSeconds: Math.ceil(report.retryAfterMs / 1_000) }),
    },
  )
}

/** Removes the call's own keys, in base64 and hexadecimal too, and anything that looks like one. */
export function redactKeys(text: string, keys: readonly string[]): string {
  return keys
    .flatMap(spellingsOf)
    .reduce((rest, key) => rest.replaceAll(key, '[redacted]'), text)
    .replace(/\bBearer\s+[^\s"',;]+/gi, 'Bearer [redacted]')
    .replace(/\b(sk|gsk|xai|pplx|key|hf|r8)[-_][A-Za-z0-9_-]{12,}/g, '[redacted]')
    .replace(/([?&](?:key|api[_-]?key|token)=)[^&\s"']+/gi, '$1[redacted]')
}

/** Fewer bytes also occur in ordinary texts. */
const fewestTelling = 12

/**
 * A key as it is, in hexadecimal, and in base64 at each of its three possible offsets in a longer
 * text.
 */
function spellingsOf(key: string): readonly string[] {
  const bytes = Buffer.from(key, 'utf8')
  const inner = [0, 1, 2].map((start) => bytes.subarray(start, bytes.length - ((bytes.length - start) % 3)))
  const long = inner.filter(({ length }) => length >= fewestTelling)
  const encoded = long.flatMap((part) => [part.toString('base64'), part.toString('base64url')])
  return [key, ...encoded, ...(bytes.length >= fewestTelling ? [bytes.toString('hex'), bytes.toString('hex').toUpperCase()] : [])]
}

/** Cuts at a number of UTF-16 code units without leaving half a character. */
const cutText = (text: string, limit: number): string => {
  if (text.length <= limit) return text
  const cut = text.slice(0, limit - 1)
  return `${/[\uD800-\uDBFF]$/.test(cut) ? cut.slice(0, -1) : cut}…`
}
