import type { IncomingMessage } from 'node:http'
import { invalidPathError, invalidQueryError } from '../errors.js'
import { hostOf } from './origin-policy.js'

/** A parsed request target: the path decoded once, the query not decoded. */
export interface RequestTarget {
  /** Not decoded if it is not valid. */
  readonly path: string
  readonly search: string
  /**
   * Set if the path has encoded slashes, which {@link withSlashes} decodes: the error for a route
   * that does not accept them.
   */
  readonly encodedSlash?: Error
  /** The path as it was read, not decoded, if it was mended before. */
  readonly mended?: string
  /** `invalid_path`, if the path is not valid. */
  readonly problem?: Error
}

/**
 * The origin form of a target in absolute form, which every server has to accept (RFC 9112, 3.2.2) and some proxies and
 * health checks send. Only if it names the host that `Host` does, so that all see one host; any other target stays as
 * it is.
 */
export function originFormOf({ url = '', headers }: Pick<IncomingMessage, 'url' | 'headers'>): string {
  if (url.startsWith('/')) return url
  const [, host, rest = ''] = /^https?:\/\/([^/?#]+)(.*)$/i.exec(url) ?? []
  if (host === undefined || headers.host === undefined || hostOf(url, host) !== hostOf(url, headers.host)) return url
  return rest.startsWith('/') ? rest : `/${rest}`
}

/** Nearly every path: there is nothing to decode or refuse. */
const plainPath = /^(?:\/[\w~-][\w.~-]*)+\/?$/
/** The category Cc of Unicode: NUL to US, DEL, and the C1 controls. */
const controlCharacters = /\p{Cc}/u
const malformedEscape = /%(?![0-9a-fA-F]{2})/

/**
 * Parses a raw request target in origin form. The path is decoded exactly once. Everything that
 * programs interpret differently is refused: malformed escapes, invalid UTF-8, NUL and other
 * control characters, backslashes, empty and dot segments (encoded or not), and
 * targets in other forms. Encoded slashes are for the route to accept.
 */
export function parseRequestTarget(raw: string): RequestTarget {
  const queryStart = raw.indexOf('?')
  const encoded = queryStart === -1 ? raw : raw.slice(0, queryStart)
  const search = queryStart === -1 ? '' : raw.slice(queryStart + 1)
  if (plainPath.test(encoded)) return { path: encoded, search }
  // The router must not take an encoded slash for one between two segments.
  const kept = encoded.replaceAll(encodedSlash, encodeURIComponent(slashStandIn))
  const path = decodeText(kept)
  const hasSlash = kept !== encoded
  const reason = reasonAgainst(encoded, hasSlash ? decodeText(encoded) : path)
  if (reason !== undefined || path === undefined)
    return { path: encoded, search, problem: invalidPathError.create({ reason: reason ?? '' }) }
  return { path, search, ...(hasSlash && { encodedSlash: invalidPathError.create({ reason: 'it has an encoded slash' }) }) }
}

const encodedSlash = /%2f/gi
/** Stands for an encoded slash in a parsed path. No other path has this control character. */
const slashStandIn = '\u001f'

/** Decodes the encoded slashes of a parsed path or of a part of it. */
export const withSlashes = (text: string): string => (text.includes(slashStandIn) ? text.replaceAll(slashStandIn, '/') : text)

function reasonAgainst(encoded: string, path: string | undefined): string | undefined {
  if (!encoded.startsWith('/')) return 'it must begin with “/”'
  if (malformedEscape.test(encoded)) return 'it has a malformed percent escape'
  if (/%5c|\\/i.test(encoded)) return 'it has a backslash'
  if (encoded.includes('#')) return 'it has a fragment'
  if (/[^\u0021-\u007e]/.test(encoded)) return 'it has characters that must be percent-encoded'
  if (path === undefined) return 'its escapes are not valid UTF-8'
  if (controlCharacters.test(path)) return 'it has a control character'
  const segments = path.slice(1).split('/')
  if (segments.some((segment) => segment === '.' || segment === '..')) return 'it has a dot segment'
  return segments.slice(0, -1).includes('') ? 'it has an empty segment' : undefined
}

/** Decodes percent escapes once; `undefined` if they are not valid UTF-8. */
function decodeText(text: string): string | undefined {
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}

/**
 * Decodes a query string into pairs, with `+` as a space. A pair without `=` has an empty value;
 * empty pairs are omitted.
 *
 * @throws `invalid_query` for malformed escapes, invalid UTF-8 or more than 200 parameters.
 */
export function parseQuery(search: string): readonly (readonly [name: string, value: string])[] {
  if (search === '') return []
  const parts = search.split('&').filter((part) => part !== '')
  if (parts.length > 200) throw invalidQueryError.create({ reason: 'it has more than 200 parameters' })
  return parts.map((part) => {
    const equals = part.indexOf('=')
    const [name, value] = equals === -1 ? [part, ''] : [part.slice(0, equals), part.slice(equals + 1)]
    return [decodeQueryText(name), decodeQueryText(value)] as const
  })
}

function decodeQueryText(text: string): string {
  const decoded = malformedEscape.test(text) ? undefined : decodeText(text.replaceAll('+', ' '))
  if (decoded === undefined) throw invalidQueryError.create({ reason: 'it has a malformed percent escape or invalid UTF-8' })
  return decoded
}
