import type { IncomingHttpHeaders } from 'node:http'
import { unsupportedMediaTypeError } from '../errors.js'

const token = "[\\w!#$&'*+.^`|~-]+"
const mediaType = new RegExp(`^${token}/${token}$`)

/**
 * Checks the declared type of a body: one of the expected types (`image/*` covers all images), also
 * `application/*+json` where JSON is expected; JSON in UTF-8 only; no content encoding.
 *
 * @throws `unsupported_media_type`
 */
export function checkMediaType(headers: IncomingHttpHeaders, expected: readonly string[]): void {
  const actual = differenceFrom(headers, expected)
  if (actual !== undefined) throw unsupportedMediaTypeError.create({ actual, expected })
}

/** The problem in words; repeats the header's own text only if it is a plain media type. */
function differenceFrom(headers: IncomingHttpHeaders, expected: readonly string[]): string | undefined {
  const encoding = headers['content-encoding']
  if (encoding !== undefined && encoding.toLowerCase() !== 'identity') return 'encoded (Content-Encoding)'
  if (headers['content-type'] === undefined) return 'sent without a Content-Type'
  const [type = '', ...parameters] = headers['content-type'].split(';').map((part) => part.trim().toLowerCase())
  if (!mediaType.test(type) || type.length > 100) return 'of a type that is not a valid media type'
  const takesJson = expected.includes('application/json')
  if (!expected.some((pattern) => covers(pattern, type)) && !(takesJson && /^application\/[^/]+\+json$/.test(type))) return type
  const charset = parameters.find((parameter) => parameter.startsWith('charset='))?.slice('charset='.length)
  if (takesJson && charset !== undefined && !['utf-8', 'utf8', '"utf-8"'].includes(charset)) return 'in a character set other than UTF-8'
  return undefined
}

const covers = (pattern: string, type: string): boolean =>
  pattern === '*/*' || pattern === type || (pattern.endsWith('/*') && type.startsWith(pattern.slice(0, -1)))
