import type { JsonObject } from '@agent-service/sdk'
import type { OAuthClient, OAuthTokens } from '@agent-service/sdk/services/credentials'
import { isObject, numberAt, parseJson, textAt } from '../common/json.js'

/** A response without usable tokens. */
export interface Unusable {
  /** The reason, as a phrase without any part of the tokens. */
  readonly unusable: string
}

/** How much the clocks of two machines may differ. */
const maxClockSkewMs = 5 * 60_000

/** The tokens in a response, or why they cannot be used. Members that a renewal omits are kept. */
export function readTokens(
  body: JsonObject,
  { accountClaim }: Pick<OAuthClient, 'accountClaim'>,
  { now, before }: { readonly now: number; readonly before?: OAuthTokens | undefined },
): OAuthTokens | Unusable {
  const accessToken = textAt(body, 'access_token')
  if (accessToken === undefined) return { unusable: 'the server returned no access token' }
  const type = textAt(body, 'token_type')
  if (type !== undefined && type.toLowerCase() !== 'bearer') return { unusable: 'the server returned a token of a type other than bearer' }
  const account = accountClaim && accountIn(body, accessToken, accountClaim, before)
  if (accountClaim && account === undefined) return { unusable: 'the tokens do not name an account' }
  const expiresAt = endOf(body, accessToken, now)
  const refreshToken = textAt(body, 'refresh_token') ?? before?.refreshToken
  return {
    accessToken,
    ...(refreshToken !== undefined && { refreshToken }),
    ...(expiresAt !== undefined && { expiresAt }),
    ...(account !== undefined && { account }),
  }
}

/**
 * What is wrong with the ID token of a sign-in (OpenID Connect Core, 3.1.3.7); `undefined` if it is
 * valid. It came directly from the token endpoint, so its signature proves nothing more.
 */
export function problemWithIdToken(
  body: JsonObject,
  client: OAuthClient,
  { nonce, now }: { readonly nonce: string | undefined; readonly now: number },
): string | undefined {
  const idToken = textAt(body, 'id_token')
  if (idToken === undefined) return nonce === undefined ? undefined : 'the server returned no ID token'
  if (client.issuer === undefined) return undefined
  const claims = claimsOf(idToken)
  const audience = claims['aud']
  if (claims['iss'] !== client.issuer) return `the ID token is from another issuer (${shownIssuer(claims['iss'])}) than ${client.issuer}`
  if (audience !== client.clientId && !(Array.isArray(audience) && audience.includes(client.clientId)))
    return 'the ID token is for another client'
  if ((numberAt(claims, 'exp') ?? 0) * 1_000 < now - maxClockSkewMs) return 'the ID token has expired'
  return nonce !== undefined && claims['nonce'] !== nonce ? 'the ID token belongs to another sign-in' : undefined
}

/** Public, and up to 200 characters without blanks; anything else is no name of an issuer. */
export const shownIssuer = (value: unknown): string =>
  typeof value === 'string' && /^[\x21-\x7e]{1,200}$/.test(value) ? value : 'without a readable name'

/** The expiry from the response, else from the token's own claim. */
function endOf(body: JsonObject, accessToken: string, now: number): number | undefined {
  const seconds = Number(body['expires_in'] ?? Number.NaN)
  if (seconds > 0 && seconds < 1e9) return now + seconds * 1_000
  const ends = numberAt(claimsOf(accessToken), 'exp')
  return ends === undefined ? undefined : ends * 1_000
}

const accountIn = (body: JsonObject, accessToken: string, path: readonly string[], before: OAuthTokens | undefined): string | undefined =>
  claimAt(textAt(body, 'id_token'), path) ?? claimAt(accessToken, path) ?? before?.account

/** The claims of a token that came directly from its issuer. */
function claimsOf(token: string | undefined): JsonObject {
  const claims = parseJson(Buffer.from(token?.split('.')[1] ?? '', 'base64url').toString('utf8'))
  return isObject(claims) ? claims : {}
}

function claimAt(token: string | undefined, path: readonly string[]): string | undefined {
  let holder: JsonObject | undefined = claimsOf(token)
  for (const name of path.slice(0, -1)) {
    const next: JsonObject[string] | undefined = holder && Object.hasOwn(holder, name) ? holder[name] : undefined
    holder = isObject(next) ? next : undefined
  }
  const value = holder && textAt(holder, path.at(-1) ?? '')
  // The account is sent as a header.
  return value !== undefined && /^[\x21-\x7e]{1,200}$/.test(value) ? value : undefined
}
