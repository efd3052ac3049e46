import { hmacOf, isSameSecret } from '@agent-service/sdk/channels'
import {
  type ChannelConnection,
  type ChannelHost,
  type ChannelSession,
  channelConnectionInvalidError,
} from '@agent-service/sdk/contracts/channel'
import { fieldsOf, integerOf } from './fields.js'
import type { Bot } from './mentions.js'
import { readUpdate } from './message-of-update.js'

/** The ports to which Telegram delivers. */
const ports: ReadonlySet<string> = new Set(['', '80', '88', '8443'])

/**
 * What Telegram repeats in each delivery of a connection. Made of the token, so that it need not be
 * stored, changes with it, and says nothing of it.
 */
export const webhookSecretOf = (token: string, connectionId: string): string =>
  hmacOf({ secret: token, parts: ['webhook of ', connectionId] })

/** The address to which Telegram is to deliver. @throws `channel_connection_invalid` if it cannot. */
export function webhookAddressOf({ webhookUrl }: ChannelConnection): string {
  const url = webhookUrl !== undefined && URL.canParse(webhookUrl) ? new URL(webhookUrl) : undefined
  if (webhookUrl !== undefined && url?.protocol === 'https:' && ports.has(url.port)) return webhookUrl
  throw channelConnectionInvalidError.create({
    member: 'receive',
    reason:
      'cannot be “webhook”: Telegram delivers to https at the ports 443, 80, 88 and 8443 alone. Choose “polling”, or change server.external_url',
  })
}

/**
 * Takes deliveries that carry the secret, one update each, and answers once it is stored. The answer
 * tells Telegram too that a button was seen to be pressed.
 */
export function createWebhook(given: {
  readonly host: ChannelHost
  readonly bot: Bot
  readonly secret: string
  readonly now: () => number
}): NonNullable<ChannelSession['webhook']> {
  const { host, bot, secret, now } = given
  return async ({ method, headers, body }) => {
    if (method !== 'POST') return { status: 405, headers: { allow: 'POST' } }
    if (!isSameSecret(headers['x-telegram-bot-api-secret-token'], secret)) return { status: 401 }
    const update = parsed(body)
    if (integerOf(fieldsOf(update)['update_id']) === undefined) return { status: 400 }
    const { message, pressed } = readUpdate(update, bot, now())
    if (message !== undefined) await host.receive({ messages: [message] })
    if (pressed === undefined) return { status: 200 }
    const answer = { method: 'answerCallbackQuery', callback_query_id: pressed }
    return { status: 200, headers: { 'content-type': 'application/json' }, body: JSON.stringify(answer) }
  }
}

function parsed(body: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(body))
  } catch {
    // Answered with 400, like every other body that is no update.
    return undefined
  }
}
