import type { IncomingMessage } from 'node:http'
import { parse } from 'cookie'
import type { PresentedCredentials, PresignedRequest } from '../authenticator.js'

/** The cookie that holds the refresh token. */
export const refreshCookieName = 'refresh_token'

/** Headers that carry credentials. Handlers do not see them. */
export const credentialHeaders: readonly string[] = ['authorization', 'cookie', 'proxy-authorization']

/** The header fields of a request that {@link readCredentials} reads. */
export type CredentialFields = Pick<IncomingMessage, 'headers' | 'headersDistinct'>

/** The credentials of a request. */
export const readCredentials = (
  request: CredentialFields,
  inTarget: { readonly queryToken?: string | undefined; readonly presigned?: PresignedRequest | undefined } = {},
): PresentedCredentials => ({
  bearer: bearerOf(request),
  queryToken: inTarget.queryToken,
  presigned: inTarget.presigned,
  cookies: parseCookies(request.headers.cookie),
})

/**
 * The bearer token of a request; empty, and so never valid, if it is malformed or if there are several. Other schemes
 * (RFC 9110, 11.4) are no credentials of this service: a proxy that asks for a password passes the browser's `Basic` on
 * with every request, as a header of its own or behind a comma.
 */
export function bearerOf({ headers, headersDistinct }: CredentialFields): string | undefined {
  if (headers.authorization === undefined) return undefined
  const tokens = new Set((headersDistinct['authorization'] ?? []).flatMap(partsOf).flatMap(bearerTokenOf))
  return tokens.size > 1 ? '' : tokens.values().next().value
}

/**
 * The parts of an `Authorization` header between commas. Texts in quotes are emptied: in them `Digest` repeats the name
 * of the person and the target, which a page of another site can choose, so they must not pass for a bearer token.
 */
const partsOf = (value: string): readonly string[] => value.replaceAll(/"(?:[^"\\]|\\.)*\\?(?:"|$)/g, '""').split(',')

/** The bearer token in a part, empty if it is malformed; none if the part has another scheme. */
function bearerTokenOf(part: string): readonly string[] {
  const found = /^bearer(?:\s+(\S.*))?$/i.exec(part.trim())
  return found ? [/^\S+$/.exec(found[1] ?? '')?.[0] ?? ''] : []
}

/** Whether a request has credentials that are meant for something in front of the service, beside a bearer token too. */
export const hasForeignScheme = ({ headers, headersDistinct }: CredentialFields): boolean =>
  headers['proxy-authorization'] !== undefined ||
  (headersDistinct['authorization'] ?? []).flatMap(partsOf).some((part) => bearerTokenOf(part).length === 0)

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
