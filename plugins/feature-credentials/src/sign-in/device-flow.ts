import type { JsonObject } from '@agent-service/sdk'
import type { Clock } from '@agent-service/sdk/services/clock'
import type { CredentialOwner, OAuthClient, SignIn } from '@agent-service/sdk/services/credentials'
import { numberAt, textAt } from '../common/json.js'
import { problemWithUrl } from '../common/safe-url.js'
import type { AskServer } from '../server/ask-server.js'

/** RFC 8628, 3.5: how long between two questions where the server does not say, and how much longer after `slow_down`. */
const usualIntervalMs = 5_000
const slowDownMs = 5_000
const maxIntervalMs = 60_000
const maxLifeMs = 30 * 60_000

/** What a person is shown, and what the server is asked with. */
export interface DeviceCode {
  readonly deviceCode: string
  readonly userCode: string
  readonly verificationUrl: string
  readonly intervalMs: number
  readonly lifeMs: number
}

/** How a flow ended. */
export type FlowResult =
  | { readonly kind: 'tokens'; readonly body: JsonObject }
  | { readonly kind: 'failed'; readonly reason: NonNullable<SignIn['reason']>; readonly detail?: string }

/** Whose flow it is, and how to ask. */
export interface FlowMeans {
  readonly ask: AskServer
  readonly owner: CredentialOwner
  readonly signal: AbortSignal
}

/** Asks for a code. A text is why there is none. */
export async function requestDeviceCode(client: OAuthClient, { ask, owner, signal }: FlowMeans): Promise<DeviceCode | string> {
  const { deviceUrl: url, scopes = [], resource } = client
  if (url === undefined) return 'it has no endpoint for device codes'
  const form = { ...(scopes.length > 0 && { scope: scopes.join(' ') }), ...(resource !== undefined && { resource }) }
  const answer = await ask({ url, form, client, owner }, { signal })
  if (answer.kind !== 'answer') return answer.kind === 'refused' ? `it refused with ${answer.code}` : answer.reason
  const { body } = answer
  const [deviceCode, userCode] = [textAt(body, 'device_code'), textAt(body, 'user_code')]
  const verificationUrl = textAt(body, 'verification_uri') ?? textAt(body, 'verification_url')
  if (deviceCode === undefined || userCode === undefined || userCode.length > 100) return 'it gave no code'
  // A person is sent there.
  if (verificationUrl === undefined || problemWithUrl(verificationUrl, owner) !== undefined)
    return 'it names no https address to enter the code at'
  return {
    ...{ deviceCode, userCode, verificationUrl },
    intervalMs: intervalOf(body) ?? usualIntervalMs,
    lifeMs: Math.min(maxLifeMs, Math.max(1, numberAt(body, 'expires_in') ?? 900) * 1_000),
  }
}

/**
 * Asks for tokens until the person has said yes or no or the code has expired: never more often than the server allows, and more slowly while it
 * cannot be reached. @throws the reason of the signal.
 */
export async function pollForTokens(
  client: OAuthClient,
  code: DeviceCode,
  { ask, owner, signal, clock }: FlowMeans & { readonly clock: Pick<Clock, 'now' | 'wait'> },
): Promise<FlowResult> {
  const ends = clock.now() + code.lifeMs
  const form = { grant_type: 'urn:ietf:params:oauth:grant-type:device_code', device_code: code.deviceCode }
  let intervalMs = code.intervalMs
  for (;;) {
    if (clock.now() + intervalMs >= ends) {
      await clock.wait(Math.max(0, ends - clock.now()), { signal })
      return { kind: 'failed', reason: 'expired' }
    }
    await clock.wait(intervalMs, { signal })
    const answer = await ask({ url: client.tokenUrl, form, client, owner }, { signal })
    if (answer.kind === 'answer') return { kind: 'tokens', body: answer.body }
    if (answer.kind === 'unavailable') intervalMs = Math.min(maxIntervalMs, intervalMs * 2)
    else if (answer.code === 'slow_down')
      intervalMs = Math.min(maxIntervalMs, Math.max(intervalMs + slowDownMs, intervalOf(answer.body) ?? 0))
    else if (answer.code !== 'authorization_pending') return failureOf(answer.code)
  }
}

/** What the code of a refusal means for the person. */
export function failureOf(code: string): FlowResult {
  if (code === 'expired_token') return { kind: 'failed', reason: 'expired' }
  return code === 'access_denied' ? { kind: 'failed', reason: 'denied' } : { kind: 'failed', reason: 'refused', detail: code }
}

function intervalOf(body: JsonObject): number | undefined {
  const seconds = numberAt(body, 'interval')
  return seconds === undefined || seconds <= 0 ? undefined : Math.min(maxIntervalMs, seconds * 1_000)
}
