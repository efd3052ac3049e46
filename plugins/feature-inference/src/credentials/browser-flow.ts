import { createHash, randomBytes } from 'node:crypto'
import type { SignInSettings } from '../catalogue/catalogue-schema.js'
import type { FlowResult } from './device-flow.js'
import type { AskServer } from './token-endpoint.js'

type BrowserSettings = Extract<SignInSettings, { kind: 'browser' }>

/** One sign-in in a browser. */
export interface BrowserFlow {
  /** Comes back with the person. */
  readonly state: string
  readonly authorizationUrl: string
  readonly redirectUrl: string
  readonly codeVerifier: string
}

/** Begins it: authorization code with PKCE (RFC 7636), S256. */
export function beginBrowserFlow(settings: BrowserSettings, redirectUrl: string): BrowserFlow {
  const [state, codeVerifier] = [randomBytes(32).toString('base64url'), randomBytes(32).toString('base64url')]
  const url = new URL(settings.authorization_url)
  const parameters = {
    ...settings.parameters,
    ...{ response_type: 'code', client_id: settings.client_id, redirect_uri: redirectUrl },
    ...(settings.scopes.length > 0 && { scope: settings.scopes.join(' ') }),
    ...{ state, code_challenge: createHash('sha256').update(codeVerifier).digest('base64url'), code_challenge_method: 'S256' },
  }
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value)
  return { state, codeVerifier, redirectUrl, authorizationUrl: url.href }
}

/** What a person came back with. */
export interface Redirect {
  readonly state?: string
  readonly code?: string
  readonly error?: string
}

/** Exchanges what the person came back with for tokens. @throws the reason of the signal. */
export async function exchangeCode(
  settings: BrowserSettings,
  flow: BrowserFlow,
  { code, error }: Redirect,
  { ask, signal }: { readonly ask: AskServer; readonly signal: AbortSignal },
): Promise<FlowResult> {
  if (error === 'access_denied') return { kind: 'failed', reason: 'denied' }
  if (error !== undefined || code === undefined) return { kind: 'failed', reason: 'refused' }
  const answer = await ask(
    settings.token_url,
    {
      ...{ grant_type: 'authorization_code', code, redirect_uri: flow.redirectUrl },
      ...{ client_id: settings.client_id, code_verifier: flow.codeVerifier },
    },
    { signal },
  )
  if (answer.kind === 'answer') return { kind: 'tokens', body: answer.body }
  return answer.kind === 'refused'
    ? { kind: 'failed', reason: 'refused', detail: answer.code }
    : { kind: 'failed', reason: 'unavailable', detail: answer.reason }
}
