import { type JsonObject, type Logger, Type } from '@agent-service/sdk'
import {
  type Channel,
  type ChannelSession,
  channelConnectionInvalidError,
  channelUnavailableError,
  defineChannel,
} from '@agent-service/sdk/contracts/channel'
import type { Clock } from '@agent-service/sdk/services/clock'
import { createBotApi } from './bot-api.js'
import { download } from './download.js'
import { fieldsOf, integerOf, textOf } from './fields.js'
import type { Bot } from './mentions.js'
import { allowedUpdates, poll } from './polling.js'
import { telegram } from './refusals.js'
import { createSending } from './sending.js'
import { setUp } from './set-up.js'
import { createWebhook, webhookAddressOf, webhookSecretOf } from './webhook.js'

/** What the channel needs. */
export interface TelegramOptions {
  readonly clock: Pick<Clock, 'now' | 'wait'>
  readonly log: Pick<Logger, 'debug'>
  /** Where the Bot API is. Another one in tests. */
  readonly root?: string
  /** The longest wait for an answer, in milliseconds. Read for each request. */
  readonly limits?: { readonly answerMs: number }
}

const holdSeconds = 30

/** Bots of Telegram: each connection is one. */
export const createTelegramChannel = ({
  clock,
  log,
  root = 'https://api.telegram.org',
  limits = { answerMs: 15_000 },
}: TelegramOptions): Channel =>
  defineChannel({
    id: 'telegram',
    title: telegram,
    connection: Type.Object({
      token: Type.String({
        title: 'Token',
        description: 'What @BotFather says of the bot.',
        minLength: 1,
        maxLength: 200,
        'x-secret': true,
      }),
      receive: Type.Optional(
        Type.Union([Type.Literal('polling'), Type.Literal('webhook')], {
          title: 'Receive by',
          description:
            'With “polling” the service asks Telegram, with “webhook” Telegram calls the service, which needs a public address with https.',
          default: 'polling',
        }),
      ),
    }),
    setUp,
    // Telegram takes 4,096 once the Markdown has become formats: what is left is for signs that it adds.
    limits: { text: { unit: 'utf16', max: 4_000 }, intervalMs: 1_000, attachments: { maxBytes: 50_000_000, maxCount: 1 } },
    supports: {
      ...{ markdown: true, groups: true, replies: true, buttons: true, attachmentsIn: true, attachmentsOut: true },
      ...{ edits: true, typing: true, webhook: true },
    },
    async connect(connection, host, { signal: opened }) {
      const token = tokenOf(connection.members)
      const byWebhook = connection.members['receive'] === 'webhook'
      const address = byWebhook ? webhookAddressOf(connection) : undefined
      const api = createBotApi({ root, token, limits })
      const bot = botOf(await api.call('getMe', {}, { signal: opened }))
      const secret = webhookSecretOf(token, connection.id)
      // The two exclude each other. What waits at Telegram stays for the one that follows.
      if (address === undefined) await api.call('deleteWebhook', { drop_pending_updates: false }, { signal: opened })
      else {
        const webhook = { url: address, secret_token: secret, allowed_updates: allowedUpdates, max_connections: 10 }
        await api.call('setWebhook', webhook, { signal: opened })
      }
      const sending = createSending(api)
      const lost = new AbortController()
      const during = (signal: AbortSignal): AbortSignal => {
        if (lost.signal.aborted) throw channelUnavailableError.create({ channel: telegram, reason: 'the connection has ended' })
        return AbortSignal.any([signal, opened])
      }
      const answerPress = async (id: string, signal: AbortSignal): Promise<void> => {
        try {
          await api.call('answerCallbackQuery', { callback_query_id: id }, { signal, limitMs: 5_000 })
        } catch (error) {
          // Only the sign at the button stays for a while: the press itself is stored.
          log.debug('Telegram did not take the answer to a button.', { error })
        }
      }
      const session: ChannelSession = {
        account: { id: String(bot.id), name: `@${bot.username}` },
        send: async (delivery, { signal }) => sending.send(delivery, during(signal)),
        edit: async (edit, { signal }) => sending.edit(edit, during(signal)),
        typing: async (conversationId, { signal }) => sending.typing(conversationId, during(signal)),
        async *download(attachment, { signal }) {
          yield* download(api, attachment, during(signal))
        },
      }
      if (byWebhook) return { ...session, webhook: createWebhook({ host, bot, secret, now: () => clock.now() }) }
      return {
        ...session,
        async run({ signal }) {
          try {
            await poll({ api, host, bot, clock, holdSeconds, limits, answerPress }, during(signal))
          } finally {
            lost.abort()
          }
        },
      }
    },
  })

/** The token stands in the address of each request: nothing else may get there. */
function tokenOf(members: JsonObject): string {
  const token = textOf(members['token'])?.trim() ?? ''
  if (/^\d{1,20}:[\w-]{20,100}$/.test(token)) return token
  throw channelConnectionInvalidError.create({
    member: 'token',
    reason: 'is no token of Telegram: it has digits, a colon, and about 35 letters and digits. Copy all of what @BotFather says',
  })
}

function botOf(result: unknown): Bot {
  const { id, username } = fieldsOf(result)
  const [number, name] = [integerOf(id), textOf(username)]
  if (number === undefined || name === undefined || !/^\w{1,100}$/.test(name))
    throw channelUnavailableError.create({ channel: telegram, reason: 'it does not say who the bot is' })
  return { id: number, username: name }
}
