import type { IncomingMessage } from 'node:http'
import { refreshCookieName } from '@agent-service/kernel-core/http/request'
import type { SiteHeaders } from '@agent-service/sdk/contracts/http-site'
import { decodeProtectedHeader } from 'jose'

/** Headers of one connection, which are not forwarded in either direction (RFC 9110, 7.6.1). */
const connectionHeaders: ReadonlySet<string> = new Set([
  'connection',
  'expect',
  'http2-settings',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
])

/**
 * Headers by which a response of one host could affect other hosts, or that the service sets
 * itself.
 */
const crossHostHeaders: ReadonlySet<string> = new Set(['alt-svc', 'clear-site-data', 'public-key-pins', 'x-request-id'])

/** The `typ` of this service's signed tokens. */
const ownTokenTypes: ReadonlySet<unknown> = new Set(['at+jwt', 'ephemeral+jwt', 'presign+jwt'])

/**
 * The names in a comma-separated header. Takes time in proportion to its length, whatever is
 * between the commas.
 */
const listed = (value: string): readonly string[] =>
  value
    .toLowerCase()
    .split(',')
    .map((name) => name.trim())

/**
 * The headers of a request as the site sees them: none of the connection, and no credential of this
 * service.
 */
export function siteRequestHeaders({ rawHeaders }: IncomingMessage): SiteHeaders {
  const pairs = Array.from({ length: Math.floor(rawHeaders.length / 2) }, (_, index): readonly [string, string] => [
    (rawHeaders[index * 2] ?? '').toLowerCase(),
    rawHeaders[index * 2 + 1] ?? '',
  ])
  const named = new Set(pairs.flatMap(([name, value]) => (name === 'connection' ? listed(value) : [])))
  return pairs.flatMap(([name, value]): readonly (readonly [string, string])[] => {
    if (connectionHeaders.has(name) || named.has(name)) return []
    if (name === 'authorization') return value.split(/[\s,]+/).some(isOwnToken) ? [] : [[name, value]]
    if (name !== 'cookie') return [[name, value]]
    const foreign = withoutOwnCookies(value)
    return foreign === '' ? [] : [[name, foreign]]
  })
}

/** The headers of a site's response as they are sent. */
export function siteAnswerHeaders(headers: SiteHeaders): SiteHeaders {
  return headers.flatMap(([given, value]): readonly (readonly [string, string])[] => {
    const name = given.toLowerCase()
    if (connectionHeaders.has(name) || crossHostHeaders.has(name)) return []
    return [[name, name === 'set-cookie' ? withoutDomain(value) : value]]
  })
}

/**
 * The default headers of a site's responses: they may be framed only by the site itself and the
 * service's pages (pages on this machine if no address is configured), and run in a browser process
 * of their own.
 */
export function siteSecurityHeaders(ownUrls: readonly (string | undefined)[]): Readonly<Record<string, string>> {
  const origins = new Set(ownUrls.flatMap((url) => (url !== undefined && URL.canParse(url) ? [new URL(url).origin] : [])))
  const framers = origins.size === 0 ? ['http://localhost:*', 'http://127.0.0.1:*'] : [...origins]
  return {
    'content-security-policy': ["frame-ancestors 'self'", ...framers].join(' '),
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'strict-origin-when-cross-origin',
    'origin-agent-cluster': '?1',
  }
}

/** Whether a word of an `Authorization` header has the form of a token that this service issues. */
function isOwnToken(token: string): boolean {
  if (token.startsWith('svc_')) return true
  if (token.split('.').length !== 3) return false
  try {
    return ownTokenTypes.has(decodeProtectedHeader(token).typ)
  } catch {
    return false
  }
}

const withoutOwnCookies = (value: string): string =>
  value
    .split(';')
    .map((part) => part.trim())
    .filter((part) => part !== '' && part.split('=', 1)[0]?.trim() !== refreshCookieName)
    .join('; ')

/**
 * A cookie without `Domain` belongs only to its host; with it, it could replace a cookie of the
 * service.
 */
const withoutDomain = (value: string): string =>
  value
    .split(';')
    .filter((part, index) => index === 0 || !/^\s*domain\s*(=|$)/i.test(part))
    .join(';')
