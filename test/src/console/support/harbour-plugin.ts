import { definePlugin, type Plugin, Type } from '@agent-service/sdk'
import {
  type ChannelDelivery,
  type ChannelHost,
  type ChannelMessage,
  channelRejectedError,
  channels,
  channelUnauthorizedError,
  channelUnavailableError,
  defineChannel,
} from '@agent-service/sdk/contracts/channel'

/** The one token that the harbour takes. */
export const harbourToken = 'the token of the harbour'

/** A vendor that a test plays; the kernel of the process and the test share it. */
export interface Harbour {
  readonly sent: ChannelDelivery[]
  /** While true no connection is accepted, and those that are open break. */
  isDown: boolean
  /** What it says of a message that it refuses; undefined: it takes everything. */
  refusal: string | undefined
  /** Breaks every session. */
  breakOff(): void
  receive(message: ChannelMessage): Promise<void>
}

let host: ChannelHost | undefined
let breaks: readonly ((error: Error) => void)[] = []

export const harbour: Harbour = {
  ...{ sent: [], isDown: false, refusal: undefined },
  breakOff() {
    for (const each of breaks) each(unavailable())
    breaks = []
  },
  async receive(message) {
    if (!host) throw new Error('Nothing is connected.')
    await host.receive({ messages: [message] })
  },
}

const unavailable = (): Error => channelUnavailableError.create({ channel: 'Harbour', reason: 'the fog is too thick' })

const plugin: Plugin = definePlugin({
  manifest: { id: 'channel-harbour', apiVersion: 1, description: 'A vendor for tests.', contributes: ['channel'] },
  setup(context) {
    context.contribute(
      channels,
      defineChannel({
        ...{ id: 'harbour', title: 'Harbour', limits: { text: { unit: 'characters', max: 2_000 } } },
        supports: { groups: true, buttons: true, webhook: true, markdown: true },
        connection: Type.Object(
          {
            pier: Type.String({ title: 'Pier', description: 'Where the service is to be moored.', minLength: 1, maxLength: 100 }),
            token: Type.String({ title: 'Token', minLength: 1, maxLength: 100, 'x-secret': true }),
          },
          { additionalProperties: false },
        ),
        setUp: [
          {
            title: 'Ask for a token',
            text: 'Write `/token` to *the harbour*. <img src=x onerror="document.title=\'owned\'"> [Click](javascript:alert(1))',
            url: 'https://harbour.example/tokens',
            members: ['pier', 'token'],
          },
          { title: 'Say where you are', text: 'Give `{webhook_url}` to the harbour.' },
        ],
        async connect({ members }, opened, { signal }) {
          if (harbour.isDown) throw unavailable()
          if (members['token'] !== harbourToken) throw channelUnauthorizedError.create({ channel: 'Harbour', reason: 'wrong' })
          host = opened
          return {
            account: { id: 'pilot', name: `@pilot_of_${String(members['pier'])}` },
            run: () =>
              new Promise((_resolve, reject) => {
                breaks = [...breaks, reject]
                signal.addEventListener('abort', () => reject(signal.reason), { once: true })
              }),
            async send(delivery) {
              if (harbour.refusal !== undefined) throw channelRejectedError.create({ channel: 'Harbour', reason: harbour.refusal })
              harbour.sent.push(delivery)
              return { id: `sent-${harbour.sent.length}` }
            },
          }
        },
      }),
    )
  },
})
export default plugin
