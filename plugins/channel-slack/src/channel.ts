import { Type } from '@agent-service/sdk'
import { processTimers, type TimeSource } from '@agent-service/sdk/async'
import { type Channel, defineChannel } from '@agent-service/sdk/contracts/channel'
import { createApi, type SlackApi, unreadable } from './api.js'
import { maxFileBytes } from './files.js'
import { readMembers, type SlackMembers } from './members.js'
import { slack } from './refusals.js'
import { createSession, type SessionParts } from './session.js'
import { setUp } from './set-up.js'
import { openSocket } from './socket.js'

/** What the channel uses. */
export interface SlackChannelOptions {
  /** Another one in tests. Addresses that Slack names have to be of the same host, or below it. */
  readonly baseUrl?: string
  /** The longest wait for an answer, in milliseconds. Default 20,000. */
  readonly limitMs?: number
  /** How often the connection of Socket Mode is tested, in milliseconds. Default 15,000. */
  readonly beatMs?: number
  readonly clock?: TimeSource
  /** Milliseconds since 1970. */
  readonly now?: () => number
}

/** Slack: Socket Mode with an app token, otherwise the Events API with a signing secret. */
export function createSlackChannel(options: SlackChannelOptions = {}): Channel {
  const { baseUrl = 'https://slack.com', limitMs = 20_000, beatMs = 15_000, clock = processTimers, now = Date.now } = options
  const api = createApi({ baseUrl, limitMs })
  return defineChannel({
    id: 'slack',
    title: slack,
    connection: Type.Object({
      bot_token: Type.String({ title: 'Bot token', description: 'Begins with xoxb-.', minLength: 1, 'x-secret': true }),
      app_token: Type.Optional(
        Type.String({ title: 'App token', description: 'Begins with xapp-. For Socket Mode, without a public address.', 'x-secret': true }),
      ),
      signing_secret: Type.Optional(
        Type.String({ title: 'Signing secret', description: 'For events that Slack sends to a public address.', 'x-secret': true }),
      ),
    }),
    setUp,
    // Escaped a text has up to five times as many characters; Slack takes 40,000.
    limits: {
      text: { unit: 'utf16', max: 4_000 },
      intervalMs: 1_000,
      attachments: { maxBytes: maxFileBytes, maxCount: 10 },
    },
    supports: { markdown: true, groups: true, buttons: true, attachmentsIn: true, attachmentsOut: true, edits: true, webhook: true },
    async connect({ members }, host, { signal }) {
      signal.throwIfAborted()
      const { botToken, events } = readMembers(members)
      const account = await accountOf(api, botToken, signal)
      const open = async (): Promise<SessionParts['events']> => {
        if ('signingSecret' in events) return events
        return { socket: await openSocket({ url: await addressOf(api, events, signal), clock, limitMs, beatMs, signal }) }
      }
      return createSession({ api, botToken, account, host, events: await open(), now, life: signal })
    },
  })
}

async function accountOf(api: SlackApi, token: string, signal: AbortSignal): Promise<SessionParts['account']> {
  const { user_id: userId, bot_id: botId, user, team } = await api.call('auth.test', {}, { token, signal })
  if (typeof userId !== 'string' || !/^[A-Z0-9]{1,50}$/.test(userId)) throw unreadable(false)
  const name = `@${String(user)} (${String(team)})`.replace(/[\p{Cc}\p{Zl}\p{Zp}]/gu, ' ')
  return { userId, botId: typeof botId === 'string' ? botId : undefined, name: [...name].slice(0, 200).join('') }
}

/** The address of a new connection, which holds a ticket: it stays out of errors and logs. */
async function addressOf(api: SlackApi, { appToken }: Extract<SlackMembers['events'], { appToken: string }>, signal: AbortSignal) {
  const { url } = await api.call('apps.connections.open', {}, { token: appToken, signal })
  return api.addressOf(url, 'socket')
}
