import { validateHeaderName, validateHeaderValue } from 'node:http'
import { type HttpClientRequest, httpRequestInvalidError } from '@agent-service/sdk/services/http-client'
import type { RequestScope } from './address-guard.js'

const methods: ReadonlySet<string> = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])
/** Headers that the client sets itself, of one connection, and for proxies. */
const refusedHeader = /^(host|content-length|transfer-encoding|accept-encoding|connection|keep-alive|upgrade|expect|te|trailer|proxy-.*)$/
/**
 * Headers that are kept in a redirect to another origin. Any other header could be a credential.
 */
const harmlessHeader =
  /^(accept|accept-language|user-agent|content-type|content-language|range|if-none-match|if-modified-since|cache-control)$/

const maxUrlLength = 16 * 1024
const maxSentHeaderBytes = 32 * 1024
const maxSentBodyBytes = 32 * 1024 * 1024
const maxRedirectsLimit = 20
const defaultBodyBytes = 10 * 1024 * 1024

/** A valid request with all defaults filled in. */
export interface CheckedRequest {
  readonly url: URL
  readonly method: string
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: Uint8Array | undefined
  readonly scope: RequestScope
  readonly redirect: 'follow' | 'return' | 'refuse'
  readonly maxRedirects: number
  readonly totalMs: number
  readonly headersMs: number
  readonly idleMs: number
  readonly maxBodyBytes: number
}

/**
 * Checks a request. @throws `http_request_invalid`; the error never contains the value of a header
 */
export function checkRequest(request: HttpClientRequest, maxBodyBytes: number): CheckedRequest {
  const { method = 'GET', body, limits = {}, maxRedirects = 5 } = request
  if (!methods.has(method)) throw invalid(`the method “${method}” is not supported. Use one of ${[...methods].join(', ')}.`)
  if (body !== undefined && (method === 'GET' || method === 'HEAD')) throw invalid(`a ${method} request cannot have a body.`)
  const bytes = typeof body === 'string' ? new TextEncoder().encode(body) : body
  if (bytes && bytes.byteLength > maxSentBodyBytes) throw invalid(`its body is larger than ${maxSentBodyBytes} bytes.`)
  return {
    url: checkedUrl(request.url),
    method,
    headers: checkedHeaders(request.headers ?? {}),
    body: bytes,
    scope: {
      hosts: request.hosts,
      ports: request.ports,
      allowHttp: request.allowHttp ?? false,
      allowPrivate: request.allowPrivate ?? false,
    },
    redirect: request.redirect ?? 'follow',
    maxRedirects: within('maxRedirects', maxRedirects, 0, maxRedirectsLimit),
    totalMs: within('limits.totalMs', limits.totalMs ?? 60_000, 1, 86_400_000),
    headersMs: within('limits.headersMs', limits.headersMs ?? 30_000, 1, 3_600_000),
    idleMs: within('limits.idleMs', limits.idleMs ?? 30_000, 1, 3_600_000),
    maxBodyBytes: within('limits.maxBodyBytes', limits.maxBodyBytes ?? Math.min(defaultBodyBytes, maxBodyBytes), 0, maxBodyBytes),
  }
}

/**
 * Parses a URL. Removes the fragment, and the dot at the end of a fully qualified name, since
 * certificates have none.
 */
export function checkedUrl(text: string, base?: URL): URL {
  if (text.length > maxUrlLength) throw invalid(`its URL is longer than ${maxUrlLength} characters.`)
  if (!URL.canParse(text, base?.href)) throw invalid('its URL is not valid. Use an absolute URL such as https://example.com/path.')
  const url = new URL(text, base?.href)
  if (url.username !== '' || url.password !== '') throw invalid('its URL contains a user name or password. Send a header instead.')
  url.hash = ''
  if (url.hostname.endsWith('.')) url.hostname = url.hostname.slice(0, -1)
  if (url.hostname === '' || url.hostname.endsWith('.')) throw invalid('its URL names no host.')
  return url
}

/** The headers for a hop to another origin. */
export const harmlessHeaders = (headers: Readonly<Record<string, string>>): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => harmlessHeader.test(name)))

function checkedHeaders(given: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  const headers = new Map([['user-agent', 'agent-service']])
  let size = 0
  for (const [name, value] of Object.entries(given)) {
    const lower = name.toLowerCase()
    if (!isHeader(lower, value))
      throw invalid(`the header “${name.replace(/[^\x21-\x7e]/g, '?')}” has characters that a header cannot contain.`)
    if (refusedHeader.test(lower)) throw invalid(`the header “${name}” is set by the client itself.`)
    size += name.length + value.length
    headers.set(lower, value)
  }
  if (size > maxSentHeaderBytes) throw invalid(`its headers are larger than ${maxSentHeaderBytes} bytes.`)
  return Object.fromEntries(headers)
}

function isHeader(name: string, value: unknown): value is string {
  try {
    validateHeaderName(name)
    validateHeaderValue(name, value as string)
    return typeof value === 'string'
  } catch {
    return false
  }
}

function within(what: string, value: number, min: number, max: number): number {
  if (Number.isFinite(value) && value >= min && value <= max) return value
  throw invalid(`${what} is ${value}; expected ${min} to ${max}.`)
}

const invalid = (reason: string): Error => httpRequestInvalidError.create({ reason })
