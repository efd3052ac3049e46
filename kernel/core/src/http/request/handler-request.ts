import type { RouteCookie, RouteRequest } from '@agent-service/sdk/contracts/http-route'
import { serialize } from 'cookie'
import type { Authentication } from '../authenticator.js'
import { kernelOwnerId } from '../route-table.js'
import { credentialHeaders, parseCookies } from './credentials.js'
import type { Exchange } from './exchange.js'
import type { RequestValues } from './query-values.js'

const nameForm = /^[A-Za-z0-9_-]{1,64}$/
const valueForm = /^[\x21\x23-\x2b\x2d-\x3a\x3c-\x5b\x5d-\x7e]*$/
const pathForm = /^\/[\x21-\x3a\x3c-\x7e]*$/
const headersOfKernel = new Set(credentialHeaders.filter((name) => name !== 'cookie'))
const headersOfOthers = new Set(credentialHeaders)
/** What a program elsewhere has no business with, whatever it sends. */
const headersOfUs = new Set(credentialHeaders.filter((name) => name !== 'authorization'))

/** The part of a request that handlers of routes and of WebSockets have in common. */
export type HandlerRequest = Pick<
  RouteRequest,
  'path' | 'rawTarget' | 'params' | 'query' | 'headers' | 'cookies' | 'principal' | 'requestId' | 'address' | 'loopback'
>

/**
 * Makes the request for an owner's handler: without credentials, and only with the owner's cookies.
 */
export function handlerRequestOf(
  exchange: Exchange,
  from: {
    readonly path: string
    readonly values: RequestValues
    readonly authentication: Authentication | undefined
    readonly ownerId: string
    /** Whether `authorization` is for the handler: see `HttpRoute.foreign`. Default false. */
    readonly foreign?: boolean
  },
): HandlerRequest {
  const { request, requestId, client } = exchange
  const { path, values, authentication, ownerId, foreign = false } = from
  const made: { -readonly [Member in keyof HandlerRequest]: HandlerRequest[Member] } = {
    path,
    params: values.params,
    query: values.query,
    headers: visibleHeaders(request.headers, foreign ? headersOfUs : ownerId === kernelOwnerId ? headersOfKernel : headersOfOthers),
    requestId,
    address: client.address,
    loopback: client.loopback,
  }
  const cookies = request.headers.cookie === undefined ? undefined : ownCookiesOf(request.headers.cookie, ownerId)
  if (cookies) made.cookies = cookies
  if (foreign) made.rawTarget = request.url ?? ''
  if (authentication) made.principal = authentication.principal
  return made
}

function visibleHeaders(headers: Exchange['request']['headers'], hidden: ReadonlySet<string>): Readonly<Record<string, string>> {
  const visible: Record<string, string> = {}
  for (const name in headers) {
    const value = headers[name]
    if (value !== undefined && !hidden.has(name)) visible[name] = typeof value === 'string' ? value : value.join(', ')
  }
  return visible
}

/**
 * The prefix of an owner's cookie names in the browser. Ids have no dot, so no prefix is part of
 * another one.
 */
const cookiePrefixOf = (ownerId: string): string => `${ownerId}.`

/**
 * The cookies of a request that belong to an owner, by the owner's names; `undefined` if there are
 * none.
 */
function ownCookiesOf(header: string, ownerId: string): Readonly<Record<string, string>> | undefined {
  const beginning = cookiePrefixOf(ownerId)
  const own = Object.entries(parseCookies(header)).flatMap(([name, value = '']): readonly [string, string][] =>
    name.startsWith(beginning) && nameForm.test(name.slice(beginning.length)) ? [[name.slice(beginning.length), value]] : [],
  )
  return own.length === 0 ? undefined : Object.fromEntries(own)
}

/**
 * The value of `Set-Cookie` for a cookie of an owner. @throws a `TypeError` if it would not be
 * exactly one cookie.
 */
export function formatOwnCookie({ name, value, path, maxAgeSeconds }: RouteCookie, ownerId: string): string {
  if (!nameForm.test(name))
    throw new TypeError(`The name of a cookie of “${ownerId}” is not valid; expected up to 64 letters, digits, “_” or “-”.`)
  if (!valueForm.test(value))
    throw new TypeError(`The value of the cookie “${name}” of “${ownerId}” has characters that a cookie cannot contain.`)
  if (!pathForm.test(path))
    throw new TypeError(`The path of the cookie “${name}” of “${ownerId}” is not valid; expected a path that begins with “/”.`)
  if (!Number.isSafeInteger(maxAgeSeconds) || maxAgeSeconds < 0)
    throw new TypeError(
      `The maximum age of the cookie “${name}” of “${ownerId}” is ${maxAgeSeconds} seconds; expected a whole number of at least 0.`,
    )
  return serialize(`${cookiePrefixOf(ownerId)}${name}`, value, {
    ...{ path, maxAge: maxAgeSeconds, httpOnly: true, secure: true, sameSite: 'lax' },
    encode: (text) => text,
  })
}
