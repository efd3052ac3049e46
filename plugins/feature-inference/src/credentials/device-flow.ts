import type { JsonObject } from '@agent-service/sdk'
import { numberAt, textAt } from '@agent-service/sdk/provider-kit'
import type { Clock } from '@agent-service/sdk/services/clock'
import type { SignInSettings } from '../catalogue/catalogue-schema.js'
import type { SignInFailure } from './sign-in-view.js'
import { type AskServer, isSafe } from './token-endpoint.js'

type DeviceSettings = Extract<SignInSettings, { kind: 'device' }>

/** RFC 8628, 3.5: how long between two questions where the server does not say, and how much longer after `slow_down`. */
const usualIntervalMs = 5_000
const longestIntervalMs = 60_000
const longestLifeMs = 30 * 60_000

/** What a person is shown, and what the vendor is asked with. */
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
  | { readonly kind: 'failed'; readonly reason: SignInFailure; readonly detail?: string }

/** Asks for a code. A text is why there is none. */
export async function requestDeviceCode(
  settings: DeviceSettings,
  ask: AskServer,
  options: { readonly signal: AbortSignal },
): Promise<DeviceCode | string> {
  const { device_url: url, client_id: clientId, scopes } = settings
  const answer = await ask(url, { client_id: clientId, ...(scopes.length > 0 && { scope: scopes.join(' ') }) }, options)
  if (answer.kind !== 'answer') return answer.kind === 'refused' ? `the vendor refused with ${answer.code}` : answer.reason
  const { body } = answer
  const [deviceCode, userCode] = [textAt(body, 'device_code'), textAt(body, 'user_code')]
  const verificationUrl = textAt(body, 'verification_uri') ?? textAt(body, 'verification_url')
  if (deviceCode === undefined || userCode === undefined || userCode.length > 100) return 'the vendor gave no code'
  // A person is sent there.
  if (verificationUrl === undefined || !URL.canParse(verificationUrl) || !isSafe(new URL(verificationUrl)))
    return 'the vendor names no https address to enter the code at'
  return {
    ...{ deviceCode, userCode, verificationUrl },
    intervalMs: intervalOf(body) ?? usualIntervalMs,
    lifeMs: Math.min(longestLifeMs, Math.max(1, numberAt(body, 'expires_in') ?? 900) * 1_000),
  }
}

/**
 * Asks for tokens until the person has said yes or no or the code has expired: never more often than the server allows, and more slowly while it
 * cannot be reached. @throws the reason of the signal.
 */
export async function pollForTokens(
  settings: DeviceSettings,
  code: DeviceCode,
  { ask, clock, signal }: { readonly ask: AskServer; readonly clock: Clock; readonly signal: AbortSignal },
): Promise<FlowResult> {
  const ends = clock.now() + code.lifeMs
  const form = {
    grant_type: 'urn:ietf:params:oauth:grant-type:device_code',
    device_code: code.deviceCode,
    client_id: settings.client_id,
  }
  let intervalMs = code.intervalMs
  for (;;) {
    if (clock.now() + intervalMs >= ends) {
      await clock.wait(Math.max(0, ends - clock.now()), { signal })
      return { kind: 'failed', reason: 'expired' }
    }
    await clock.wait(intervalMs, { signal })
    const answer = await ask(settings.token_url, form, { signal })
    if (answer.kind === 'answer') return { kind: 'tokens', body: answer.body }
    if (answer.kind === 'unavailable') {
      intervalMs = Math.min(longestIntervalMs, intervalMs * 2)
      continue
    }
    switch (answer.code) {
      case 'authorization_pending':
        break
      case 'slow_down':
        intervalMs = Math.min(longestIntervalMs, Math.max(intervalMs + 5_000, intervalOf(answer.body) ?? 0))
        break
      case 'expired_token':
        return { kind: 'failed', reason: 'expired' }
      case 'access_denied':
        return { kind: 'failed', reason: 'denied' }
      default:
        return { kind: 'failed', reason: 'refused', detail: answer.code }
    }
  }
}

function intervalOf(body: JsonObject): number | undefined {
  const seconds = numberAt(body, 'interval')
  return seconds === undefined || seconds <= 0 ? undefined : Math.min(longestIntervalMs, seconds * 1_000)
}
