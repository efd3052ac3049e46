import { createHash, randomBytes } from 'node:crypto'
import type { OAuthClient, SignInRedirect } from '@agent-service/sdk/services/credentials'
import type { FlowMeans, FlowResult } from './device-flow.js'

/** One sign-in in a browser. */
export interface CodeFlow {
  /** Comes back with the person. */
  readonly state: string
  readonly authorizationUrl: string
  readonly redirectUrl: string
  readonly codeVerifier: string
  /** Comes back in the ID token; absent where none is asked for. */
  readonly nonce?: string
}

/** Begins it: authorization code with PKCE (RFC 7636), S256; with a nonce where the server has a name and gives ID tokens. */
export function beginCodeFlow(client: OAuthClient, authorizationUrl: string, redirectUrl: string): CodeFlow {
  const [state, codeVerifier] = [random(), random()]
  const { scopes = [], resource } = client
  const nonce = client.issuer !== undefined && scopes.includes('openid') ? random() : undefined
  const url = new URL(authorizationUrl)
  const parameters = {
    ...client.parameters,
    ...{ response_type: 'code', client_id: client.clientId, redirect_uri: redirectUrl },
    ...(scopes.length > 0 && { scope: scopes.join(' ') }),
    ...(resource !== undefined && { resource }),
    ...(nonce !== undefined && { nonce }),
    ...{ state, code_challenge: createHash('sha256').update(codeVerifier).digest('base64url'), code_challenge_method: 'S256' },
  }
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value)
  return { state, codeVerifier, redirectUrl, authorizationUrl: url.href, ...(nonce !== undefined && { nonce }) }
}

/** Exchanges what the person came back with for tokens. @throws the reason of the signal. */
export async function exchangeCode(
  client: OAuthClient,
  flow: CodeFlow,
  { code, error, iss }: SignInRedirect,
  { ask, owner, signal }: FlowMeans,
): Promise<FlowResult> {
  // RFC 9207: an answer of another server than the one that was asked.
  if (iss !== undefined && client.issuer !== undefined && iss !== client.issuer)
    return { kind: 'failed', reason: 'refused', detail: 'another server answered' }
  if (error === 'access_denied') return { kind: 'failed', reason: 'denied' }
  if (error !== undefined || code === undefined) return { kind: 'failed', reason: 'refused' }
  const form = {
    ...{ grant_type: 'authorization_code', code, redirect_uri: flow.redirectUrl, code_verifier: flow.codeVerifier },
    ...(client.resource !== undefined && { resource: client.resource }),
  }
  const answer = await ask({ url: client.tokenUrl, form, client, owner }, { signal })
  if (answer.kind === 'answer') return { kind: 'tokens', body: answer.body }
  return answer.kind === 'refused'
    ? { kind: 'failed', reason: 'refused', detail: answer.code }
    : { kind: 'failed', reason: 'unavailable', detail: answer.reason }
}

const random = (): string => randomBytes(32).toString('base64url')
