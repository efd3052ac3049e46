import { randomBytes } from 'node:crypto'
import type { RouteCookie, RouteResponse } from '@agent-service/sdk/contracts/http-route'
import type { IdentityProvider } from '../provider/identity-provider.js'
import type { PendingSignIn, PendingSignIns } from './pending-sign-ins.js'

/** 256 random bits in base64url: a state, a nonce, or a PKCE verifier (RFC 7636, 4.1). */
const randomText = (): string => randomBytes(32).toString('base64url')

/**
 * Sends a browser to the identity provider, with its own state, nonce and PKCE verifier. `present` are the cookies of the
 * browser, `cookies` those to set besides. @throws `sso_misconfigured`, `sso_unavailable`.
 */
export async function beginSignIn(
  { provider, pendingSignIns }: { readonly provider: Pick<IdentityProvider, 'authorizationUrl'>; readonly pendingSignIns: PendingSignIns },
  purpose: Pick<PendingSignIn, 'returnPath' | 'setupCode' | 'confirms' | 'isRepeated'>,
  { present, cookies = [] }: { readonly present: Readonly<Record<string, string>>; readonly cookies?: readonly RouteCookie[] },
): Promise<RouteResponse> {
  const [state, nonce, codeVerifier] = [randomText(), randomText(), randomText()]
  const location = await provider.authorizationUrl(state, { nonce, codeVerifier }, { reauthenticate: purpose.confirms !== undefined })
  const begun = await pendingSignIns.begin(state, { ...purpose, nonce, codeVerifier }, present)
  return { status: 303, kind: 'empty', headers: { location }, cookies: [...cookies, ...begun] }
}
