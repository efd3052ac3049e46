import { isRecent, isSignedBy, parsedJson, type Values, valuesOf } from '@agent-service/sdk/channels'
import {
  type ChannelHost,
  type ChannelMessage,
  type ChannelWebhookAnswer,
  type ChannelWebhookRequest,
  channelUnauthorizedError,
} from '@agent-service/sdk/contracts/channel'
import { isRevocation, messageOfEvent, messageOfInteraction, type SlackAccount } from './incoming.js'
import { slack } from './refusals.js'

/** What requests are answered with. */
export interface WebhookOptions {
  readonly signingSecret: string
  readonly account: SlackAccount
  readonly host: ChannelHost
  /** Milliseconds since 1970. */
  readonly now: () => number
}

/**
 * Answers the Events API and presses of buttons. Verifies the signature and the time of the raw bytes
 * first. A delivery that Slack tries again is handed on again: the service knows it by its message.
 * @throws `channel_unauthorized` when the app was removed from the workspace.
 */
export async function answerWebhook(request: ChannelWebhookRequest, options: WebhookOptions): Promise<ChannelWebhookAnswer> {
  const { signingSecret, account, host, now } = options
  const { method, headers, body } = request
  if (method !== 'POST') return { status: 405, headers: { allow: 'POST' } }
  if (!isOfSlack({ headers, body, signingSecret, now: now() })) return { status: 401 }
  const content = contentOf(headers['content-type'] ?? '', Buffer.from(body).toString())
  if (content === undefined) return { status: 400 }
  if (content['type'] === 'url_verification') return challengeOf(content)
  const message = content['type'] === 'event_callback' ? messageOfEvent(content, account) : messageOfInteraction(content, account)
  const messages: readonly ChannelMessage[] = message === undefined ? [] : [message]
  if (messages.length > 0) await host.receive({ messages })
  if (content['type'] === 'event_callback' && isRevocation(content, account))
    throw channelUnauthorizedError.create({ channel: slack, reason: 'revoked' })
  return { status: 200 }
}

/** A request of Slack, as far as its signature covers it. */
export interface SignedRequest {
  readonly headers: Readonly<Record<string, string>>
  readonly body: Uint8Array
  readonly signingSecret: string
  /** Milliseconds since 1970. */
  readonly now: number
}

/** Whether Slack has signed a request within the last five minutes (signatures of version 0). */
export function isOfSlack({ headers, body, signingSecret, now }: SignedRequest): boolean {
  const time = headers['x-slack-request-timestamp']
  const [, given] = /^v0=([0-9a-f]{64})$/i.exec(headers['x-slack-signature'] ?? '') ?? []
  return isRecent(time, { now }) && isSignedBy({ secret: signingSecret, parts: [`v0:${time}:`, body], given })
}

/** Events are JSON; presses of buttons are JSON in the field of a form. */
function contentOf(type: string, body: string): Values | undefined {
  const text = type.startsWith('application/x-www-form-urlencoded') ? new URLSearchParams(body).get('payload') : body
  const content = valuesOf(text === null ? undefined : parsedJson(text))
  return typeof content['type'] === 'string' ? content : undefined
}

function challengeOf({ challenge }: Values): ChannelWebhookAnswer {
  if (typeof challenge !== 'string' || challenge.length > 1_000) return { status: 400 }
  return { status: 200, headers: { 'content-type': 'text/plain; charset=utf-8', 'x-content-type-options': 'nosniff' }, body: challenge }
}
