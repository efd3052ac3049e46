import { invalidPathError, invalidQueryError } from '../errors.js'

/** A request target taken apart: the path decoded once, the query as decoded pairs in their order. */
export interface RequestTarget {
  readonly path: string
  readonly search: string
}

/** The category Cc of Unicode: NUL to US, DEL, and the C1 controls. */
const controlCharacters = /\p{Cc}/u
const malformedEscape = /%(?![0-9a-fA-F]{2})/

/**
 * Reads a raw request target in origin form. The path is decoded exactly once; what no client sends by accident and what different programs
 * read differently is refused: malformed escapes, invalid UTF-8, NUL and other control characters, encoded slashes and backslashes, empty and
 * dot segments (encoded or not), absolute-form targets.
 *
 * @throws `invalid_path`
 */
export function parseRequestTarget(raw: string): RequestTarget {
  if (!raw.startsWith('/')) throw invalidPathError.create({ reason: 'it must begin with “/”' })
  const queryStart = raw.indexOf('?')
  const encodedPath = queryStart === -1 ? raw : raw.slice(0, queryStart)
  return { path: decodePath(encodedPath), search: queryStart === -1 ? '' : raw.slice(queryStart + 1) }
}

function decodePath(encoded: string): string {
  const refuse = (reason: string): never => {
    throw invalidPathError.create({ reason })
  }
  if (malformedEscape.test(encoded)) refuse('it has a malformed percent escape')
  if (/%2f|%5c|\\/i.test(encoded)) refuse('it has an encoded slash or a backslash')
  if (encoded.includes('#')) refuse('it has a fragment')
  if (/[^\u0021-\u007e]/.test(encoded)) refuse('it has characters that must be percent-encoded')
  const path = decodeText(encoded) ?? refuse('its escapes are not valid UTF-8')
  if (controlCharacters.test(path)) refuse('it has a control character')
  const segments = path.slice(1).split('/')
  if (segments.some((segment) => segment === '.' || segment === '..')) refuse('it has a dot segment')
  if (segments.slice(0, -1).includes('')) refuse('it has an empty segment')
  return path
}

/** Decodes percent escapes once; `undefined` when they are not valid UTF-8. */
function decodeText(text: string): string | undefined {
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}

/**
 * Decodes a query string into pairs, `+` as a space. A pair without `=` has an empty value; empty pairs are left out.
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
