import type { IncomingHttpHeaders } from 'node:http'
import { parse } from 'cookie'
import type { PresentedCredentials, PresignedRequest } from '../authenticator.js'

/** The cookie that holds the refresh token. */
export const refreshCookieName = 'refresh_token'

/** Headers that carry credentials. Handlers do not see them. */
export const credentialHeaders: readonly string[] = ['authorization', 'cookie', 'proxy-authorization']

/**
 * The credentials of a request. An `Authorization` header of another scheme counts as an invalid
 * bearer token.
 */
export const readCredentials = (
  headers: IncomingHttpHeaders,
  inTarget: { readonly queryToken?: string | undefined; readonly presigned?: PresignedRequest | undefined } = {},
): PresentedCredentials => ({
  bearer: headers.authorization === undefined ? undefined : bearerOf(headers.authorization),
  queryToken: inTarget.queryToken,
  presigned: inTarget.presigned,
  cookies: parseCookies(headers.cookie),
})

const bearerOf = (header: string): string => /^bearer +(\S+) *$/i.exec(header)?.[1] ?? ''

/** The parameter of pre-signed URLs. */
export const presignParameter = 'presign'

/** Puts the parameter at the end of a target that has a query. */
export const withPresign = (target: string, token: string): string => `${target}&${presignParameter}=${token}`

/**
 * Splits a pre-signed target without decoding it, since its bytes were signed. If the parameter is
 * not the last one, occurs twice or is spelt differently, the result is a target or token that was
 * never signed.
 */
export function readPresigned(method: string, rawTarget: string): PresignedRequest {
  const mark = `&${presignParameter}=`
  const at = rawTarget.lastIndexOf(mark)
  if (at === -1) return { method, target: rawTarget, token: '' }
  return { method, target: rawTarget.slice(0, at), token: rawTarget.slice(at + mark.length) }
}

/**
 * The cookies of a request by name, not decoded. Of several with one name the first counts, since
 * the most specific path is first.
 */
export const parseCookies = (header: string | undefined): Readonly<Record<string, string | undefined>> =>
  header === undefined ? noCookies : parse(header, { decode: (text) => text })

const noCookies: Readonly<Record<string, string | undefined>> = Object.freeze({})
