import type { IncomingHttpHeaders } from 'node:http'
import type { PresentedCredentials } from '../authenticator.js'

/** The cookie that holds the refresh token. */
export const refreshCookieName = 'refresh_token'

/** Headers that carry credentials. Handlers do not see them. */
export const credentialHeaders: readonly string[] = ['authorization', 'cookie', 'proxy-authorization']

/** The credentials of a request. An `Authorization` header of another scheme counts as a bearer that cannot hold. */
export function readCredentials(headers: IncomingHttpHeaders, queryToken: string | undefined): PresentedCredentials {
  const bearer = headers.authorization === undefined ? undefined : bearerOf(headers.authorization)
  return {
    ...(bearer === undefined ? {} : { bearer }),
    ...(queryToken === undefined ? {} : { queryToken }),
    cookies: parseCookies(headers.cookie),
  }
}

const bearerOf = (header: string): string => /^bearer +(\S+) *$/i.exec(header)?.[1] ?? ''

/** The cookies of a request by name; of several with one name the first counts, as the more specific path comes first. */
export function parseCookies(header: string | undefined): Readonly<Record<string, string>> {
  const cookies = new Map<string, string>()
  for (const part of (header ?? '').split(';')) {
    const equals = part.indexOf('=')
    if (equals === -1) continue
    const name = part.slice(0, equals).trim()
    const value = part.slice(equals + 1).trim()
    if (name !== '' && !cookies.has(name)) cookies.set(name, value.replace(/^"(.*)"$/, '$1'))
  }
  return Object.fromEntries(cookies)
}
