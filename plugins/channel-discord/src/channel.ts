import { type JsonObject, Type } from '@agent-service/sdk'
import { processTimers, type TimeSource } from '@agent-service/sdk/async'
import {
  type Channel,
  type ChannelErrorKind,
  channelConnectionInvalidError,
  channelUnavailableError,
  defineChannel,
} from '@agent-service/sdk/contracts/channel'
import { createApi, discord, unreadable } from './api.js'
import { openGateway, type Resumption } from './gateway.js'
import { anId } from './incoming.js'
import { createSession, maxFileBytes } from './session.js'

/** What the channel uses. */
export interface DiscordChannelOptions {
  readonly baseUrl?: string
  /** The host of gateways: also those below it. */
  readonly gatewayHost?: string
  readonly fileHost?: string
  /** The longest wait for an answer, in milliseconds. Default 20,000. */
  readonly limitMs?: number
  readonly clock?: TimeSource
  /** Told that Discord shows a press as failed although it was stored. Default: not told. */
  readonly onUnacknowledged?: (kind: ChannelErrorKind) => void
}

const token = Type.String({ title: 'Bot token', minLength: 1, 'x-secret': true })

/** Discord, over its gateway of version 10. The options are others in tests. */
export function createDiscordChannel(options: DiscordChannelOptions = {}): Channel {
  const { baseUrl = 'https://discord.com', gatewayHost = 'discord.gg', fileHost = 'cdn.discordapp.com' } = options
  const { limitMs = 20_000, clock = processTimers, onUnacknowledged = () => undefined } = options
  const protocol = new URL(baseUrl).protocol
  const addressOf = (value: unknown, host: string, scheme: string): URL => {
    const url = typeof value === 'string' && URL.canParse(value) ? new URL(value) : undefined
    if (url !== undefined && (url.host === host || url.host.endsWith(`.${host}`)) && url.protocol === scheme) return url
    throw channelUnavailableError.create({ channel: discord, reason: 'it names an address that is not one of its own' })
  }
  return defineChannel({
    id: 'discord',
    title: discord,
    connection: Type.Object({ token }),
    setUp: [
      {
        title: 'Make a bot',
        text: 'Choose *New Application*. Under *Bot* switch on *Message Content Intent*, press *Reset Token*, and copy the token.',
        url: 'https://discord.com/developers/applications',
        members: ['token'],
      },
      {
        title: 'Invite the bot',
        text:
          'Under *OAuth2*, *URL Generator*, choose the scope `bot` with *View Channels*, *Send Messages*, *Send Messages in Threads*, *Attach Files* and ' +
          '*Read Message History*, and open the address. Write to the bot directly, or name it in a channel.',
      },
    ],
    // A nonce is compared with those of the last few minutes.
    limits: {
      text: { unit: 'utf16', max: 2_000 },
      intervalMs: 1_000,
      idempotentMs: 120_000,
      attachments: { maxBytes: maxFileBytes, maxCount: 3 },
    },
    supports: {
      ...{ markdown: true, groups: true, replies: true, buttons: true, attachmentsIn: true, attachmentsOut: true },
      ...{ edits: true, typing: true, idempotentSend: true },
    },
    async connect({ members }, host, { signal }) {
      signal.throwIfAborted()
      const given = String(members['token']).trim()
      if (!/^[\w.-]{1,200}$/.test(given)) throw channelConnectionInvalidError.create({ member: 'token', reason: 'is no token of a bot' })
      const api = createApi({ baseUrl, token: given, limitMs })
      const { id, username } = await api({ path: '/users/@me', signal })
      if (typeof id !== 'string' || !anId.test(id)) throw unreadable(false)
      const resumption = resumptionOf(await host.state(), id)
      const named = resumption?.url ?? (await api({ path: '/gateway/bot', signal }))['url']
      const url = new URL('/?v=10&encoding=json', addressOf(named, gatewayHost, protocol.replace('http', 'ws')))
      const gateway = await openGateway({ url, token: given, resumption, clock, limitMs, signal })
      const account = { id, name: `@${[...String(username).replace(/[\p{Cc}\p{Zl}\p{Zp}]/gu, ' ')].slice(0, 190).join('')}` }
      const fileAddressOf = (value: unknown): URL => addressOf(value, fileHost, protocol)
      return createSession({ api, account, host, gateway, fileAddressOf, limitMs, life: signal, onUnacknowledged })
    },
  })
}

/** Where the session before went to, if it was one of the same account. */
function resumptionOf(state: JsonObject | undefined, accountId: string): Resumption | undefined {
  const { account, session, url, sequence } = state ?? {}
  if (account !== accountId || typeof session !== 'string' || typeof url !== 'string' || typeof sequence !== 'number') return undefined
  return { sessionId: session, url, sequence }
}
