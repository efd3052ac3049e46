import { createHash, randomBytes } from 'node:crypto'
import type { OAuthClient, SignInRedirect } from '@agent-service/sdk/services/credentials'
import { shownIssuer } from '../server/read-tokens.js'
import type { FlowDependencies, FlowResult } from './device-flow.js'

/** One sign-in in a browser. */
export interface CodeFlow {
  /** Returned with the redirect. */
  readonly state: string
  readonly authorizationUrl: string
  readonly redirectUrl: string
  readonly codeVerifier: string
  /** Returned in the ID token; absent if none is requested. */
  readonly nonce?: string
}

/**
 * Begins a sign-in: authorization code with PKCE (RFC 7636), S256; with a nonce if the issuer is
 * known and an ID token is requested.
 */
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

/** Exchanges the code of a redirect for tokens. @throws the signal's reason. */
export async function exchangeCode(
  client: OAuthClient,
  flow: CodeFlow,
  { code, error, iss }: SignInRedirect,
  { postForm, owner, signal }: FlowDependencies,
): Promise<FlowResult> {
  // RFC 9207: the redirect came from another server.
  if (iss !== undefined && client.issuer !== undefined && iss !== client.issuer)
    return { kind: 'failed', reason: 'refused', detail: `another server responded (${shownIssuer(iss)}) than ${client.issuer}` }
  if (error === 'access_denied') return { kind: 'failed', reason: 'denied' }
  if (error !== undefined || code === undefined) return { kind: 'failed', reason: 'refused' }
  const form = {
    ...{ grant_type: 'authorization_code', code, redirect_uri: flow.redirectUrl, code_verifier: flow.codeVerifier },
    ...(client.resource !== undefined && { resource: client.resource }),
  }
  const answer = await postForm({ url: client.tokenUrl, form, client, owner }, { signal })
  if (answer.kind === 'answer') return { kind: 'tokens', body: answer.body }
  return answer.kind === 'refused'
    ? { kind: 'failed', reason: 'refused', detail: answer.code }
    : { kind: 'failed', reason: 'unavailable', detail: answer.reason }
}

const random = (): string => randomBytes(32).toString('base64url')
