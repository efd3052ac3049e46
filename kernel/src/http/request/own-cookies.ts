import type { RouteCookie } from '@agent-service/sdk/contracts/http-route'
import { parseCookies } from './credentials.js'

const nameForm = /^[A-Za-z0-9_-]{1,64}$/
const valueForm = /^[\x21\x23-\x2b\x2d-\x3a\x3c-\x5b\x5d-\x7e]*$/
const pathForm = /^\/[\x21-\x3a\x3c-\x7e]*$/

/** What the names of an owner's cookies begin with in the browser. Ids hold no dot, so no owner's beginning is part of another's. */
const beginningOf = (ownerId: string): string => `${ownerId}.`

/** The cookies of a request that belong to the owner of a route, by the name that the owner gave them. */
export function ownCookiesOf(header: string | undefined, ownerId: string): Readonly<Record<string, string>> {
  const beginning = beginningOf(ownerId)
  const own = Object.entries(parseCookies(header)).flatMap(([name, value]): readonly [string, string][] =>
    name.startsWith(beginning) && nameForm.test(name.slice(beginning.length)) ? [[name.slice(beginning.length), value]] : [],
  )
  return Object.fromEntries(own)
}

/** The value of `Set-Cookie` for a cookie of an owner's. @throws for what would not be one cookie. */
export function formatOwnCookie({ name, value, path, maxAgeSeconds }: RouteCookie, ownerId: string): string {
  if (!nameForm.test(name)) throw new TypeError(`The name of a cookie of “${ownerId}” has another form than a cookie's name.`)
  if (!valueForm.test(value)) throw new TypeError(`The value of the cookie “${name}” of “${ownerId}” holds what a cookie cannot.`)
  if (!pathForm.test(path)) throw new TypeError(`The path of the cookie “${name}” of “${ownerId}” is no path.`)
  if (!Number.isSafeInteger(maxAgeSeconds) || maxAgeSeconds < 0)
    throw new TypeError(`The cookie “${name}” of “${ownerId}” lives ${maxAgeSeconds} seconds, which is no whole number from 0.`)
  return `${beginningOf(ownerId)}${name}=${value}; Max-Age=${maxAgeSeconds}; Path=${path}; HttpOnly; Secure; SameSite=Lax`
}
