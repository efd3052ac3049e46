import type { JsonObject } from '@agent-service/sdk'
import type { Clock } from '@agent-service/sdk/services/clock'
import type { CredentialOwner, OAuthClient, SignIn } from '@agent-service/sdk/services/credentials'
import { numberAt, textAt } from '../common/json.js'
import { problemWithUrl } from '../common/safe-url.js'
import type { PostForm } from '../server/post-form.js'

/**
 * RFC 8628, 3.5: the polling interval if the server names none, and how much longer it gets after
 * `slow_down`.
 */
const defaultIntervalMs = 5_000
const slowDownMs = 5_000
const maxIntervalMs = 60_000
const maxLifeMs = 30 * 60_000

/** The codes for the person and for the server. */
export interface DeviceCode {
  readonly deviceCode: string
  readonly userCode: string
  readonly verificationUrl: string
  readonly intervalMs: number
  readonly lifeMs: number
}

/** The result of a flow. */
export type FlowResult =
  | { readonly kind: 'tokens'; readonly body: JsonObject }
  | { readonly kind: 'failed'; readonly reason: NonNullable<SignIn['reason']>; readonly detail?: string }

/** The owner of a flow and its access to the server. */
export interface FlowDependencies {
  readonly postForm: PostForm
  readonly owner: CredentialOwner
  readonly signal: AbortSignal
}

/** Requests a code. A text is the reason why there is none. */
export async function requestDeviceCode(client: OAuthClient, { postForm, owner, signal }: FlowDependencies): Promise<DeviceCode | string> {
  const { deviceUrl: url, scopes = [], resource } = client
  if (url === undefined) return 'it has no endpoint for device codes'
  const form = { ...(scopes.length > 0 && { scope: scopes.join(' ') }), ...(resource !== undefined && { resource }) }
  const answer = await postForm({ url, form, client, owner }, { signal })
  if (answer.kind !== 'answer') return answer.kind === 'refused' ? `it refused with ${answer.code}` : answer.reason
  const { body } = answer
  const [deviceCode, userCode] = [textAt(body, 'device_code'), textAt(body, 'user_code')]
  const verificationUrl = textAt(body, 'verification_uri') ?? textAt(body, 'verification_url')
  if (deviceCode === undefined || userCode === undefined || userCode.length > 100) return 'it returned no code'
  // The person is sent there.
  if (verificationUrl === undefined || problemWithUrl(verificationUrl, owner) !== undefined)
    return 'it returned no https address at which to enter the code'
  return {
    ...{ deviceCode, userCode, verificationUrl },
    intervalMs: intervalOf(body) ?? defaultIntervalMs,
    lifeMs: Math.min(maxLifeMs, Math.max(1, numberAt(body, 'expires_in') ?? 900) * 1_000),
  }
}

/**
 * Polls for tokens until the person has accepted or declined or the code has expired: never more
 * often than the server allows, and less often while it cannot be reached. @throws the signal's
 * reason.
 */
export async function pollForTokens(
  client: OAuthClient,
  code: DeviceCode,
  { postForm, owner, signal, clock }: FlowDependencies & { readonly clock: Pick<Clock, 'now' | 'wait'> },
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
    const answer = await postForm({ url: client.tokenUrl, form, client, owner }, { signal })
    if (answer.kind === 'answer') return { kind: 'tokens', body: answer.body }
    if (answer.kind === 'unavailable') intervalMs = Math.min(maxIntervalMs, intervalMs * 2)
    else if (answer.code === 'slow_down')
      intervalMs = Math.min(maxIntervalMs, Math.max(intervalMs + slowDownMs, intervalOf(answer.body) ?? 0))
    else if (answer.code !== 'authorization_pending') return failureOf(answer.code)
  }
}

/** The failure for the code of a refusal. */
export function failureOf(code: string): FlowResult {
  if (code === 'expired_token') return { kind: 'failed', reason: 'expired' }
  return code === 'access_denied' ? { kind: 'failed', reason: 'denied' } : { kind: 'failed', reason: 'refused', detail: code }
}

function intervalOf(body: JsonObject): number | undefined {
  const seconds = numberAt(body, 'interval')
  return seconds === undefined || seconds <= 0 ? undefined : Math.min(maxIntervalMs, seconds * 1_000)
}
