import { type JsonObject, Type } from '@agent-service/sdk'
import {
  type Channel,
  type ChannelConnection,
  type ChannelDefinition,
  type ChannelDelivery,
  type ChannelEdit,
  type ChannelHost,
  type ChannelMessage,
  type ChannelReceipt,
  type ChannelSession,
  channelUnauthorizedError,
  defineChannel,
} from '@agent-service/sdk/contracts/channel'

/** A vendor that a test plays. */
export interface Town {
  readonly channel: Channel
  /** Sessions that were opened, in order. */
  readonly sessions: readonly TownSession[]
  /** What the vendor took, in order. */
  readonly sent: readonly ChannelDelivery[]
  /** What an attempt to connect does first: a test makes it throw. */
  onConnect: (connection: ChannelConnection) => void | Promise<void>
  /** The files of messages. Default: none can be loaded. */
  download?: NonNullable<ChannelSession['download']>
  /** Who the service is there. */
  account: (connection: ChannelConnection) => { readonly id: string; readonly name: string }
  /** What a send does before the vendor takes it. */
  onSend: (delivery: ChannelDelivery) => void | Promise<void>
  /** What a send does once the vendor has taken it: a test lets the answer get lost. */
  afterSend: (delivery: ChannelDelivery) => void | Promise<void>
  /** What showing the account takes. */
  onPresence: (state: 'online' | 'away') => void | Promise<void>
  /** How people saw the account, where the channel shows it. */
  readonly presence: readonly string[]
  /** What messages were changed to, by the vendor's id. */
  readonly edited: readonly ChannelEdit[]
  /** Hands messages on over the newest session. */
  receive(...messages: readonly ChannelMessage[]): Promise<void>
}

export interface TownSession {
  readonly connection: ChannelConnection
  readonly host: ChannelHost
  readonly signal: AbortSignal
  /** Ends `run`: with an error, or as if the vendor asked to connect again. */
  end(error?: Error): void
}

export const aMessage = (
  id: string,
  more: Partial<Omit<ChannelMessage, 'id' | 'sender'>> & { readonly from?: string; readonly bot?: boolean } = {},
): ChannelMessage => {
  const { from = 'grace', bot = false, ...members } = more
  return {
    ...{
      id,
      conversation: { id: `with-${from}`, kind: 'direct' },
      text: `Hello ${id}`,
      at: 1_767_225_600_000,
      mentioned: true,
      ...members,
    },
    sender: { id: from, name: from, bot },
  }
}

export function createTown(definition: Partial<ChannelDefinition> = {}): Town {
  const sessions: TownSession[] = []
  const sent: ChannelDelivery[] = []
  const taken = new Set<string>()
  const edited: ChannelEdit[] = []
  const presence: string[] = []
  const town: Omit<Town, 'channel'> = {
    ...{
      sessions,
      sent,
      edited,
      presence,
      onConnect: () => undefined,
      onSend: () => undefined,
      afterSend: () => undefined,
      onPresence: () => undefined,
    },
    account: () => ({ id: 'bot-1', name: '@town_bot' }),
    async receive(...messages) {
      const session = sessions.at(-1)
      if (!session) throw new Error('Nothing is connected.')
      await session.host.receive({ messages, state: { last: messages.at(-1)?.id ?? 'none' } satisfies JsonObject })
    },
  }
  const channel = defineChannel({
    ...{ id: 'town', title: 'Town chat', limits: { text: { unit: 'characters', max: 200 } } },
    connection: Type.Object(
      { place: Type.String({ title: 'Place' }), token: Type.String({ title: 'Token', 'x-secret': true }) },
      { additionalProperties: false },
    ),
    async connect(connection, host, { signal }) {
      await town.onConnect(connection)
      let finish: { readonly resolve: () => void; readonly reject: (error: unknown) => void } | undefined
      const ended = new Promise<void>((resolve, reject) => {
        finish = { resolve, reject }
        signal.addEventListener('abort', () => reject(signal.reason), { once: true })
      })
      ended.catch(() => undefined)
      sessions.push({ connection, host, signal, end: (error) => (error ? finish?.reject(error) : finish?.resolve()) })
      return {
        account: town.account(connection),
        run: () => ended,
        async send(delivery): Promise<ChannelReceipt> {
          await town.onSend(delivery)
          signal.throwIfAborted()
          if (!definition.supports?.idempotentSend || !taken.has(delivery.id)) sent.push(delivery)
          taken.add(delivery.id)
          await town.afterSend(delivery)
          return { id: `vendor-${sent.length}` }
        },
        ...(definition.supports?.edits && { edit: async (edit: ChannelEdit) => void edited.push(edit) }),
        ...(definition.supports?.presence && {
          async presence(state: 'online' | 'away') {
            presence.push(state)
            await town.onPresence(state)
          },
        }),
        ...(town.download && { download: town.download }),
        ...(definition.supports?.typing && { typing: () => Promise.resolve() }),
        ...(definition.supports?.webhook && {
          async webhook({ body, url }) {
            if (url.endsWith('?removed')) throw channelUnauthorizedError.create({ channel: 'Town chat', reason: 'revoked' })
            return { status: 200, body: `${body.byteLength} ${new URL(url).search}` }
          },
        }),
      }
    },
    ...definition,
  })
  return Object.assign(town, { channel })
}
