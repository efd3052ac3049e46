import { definePlugin, Type } from '@agent-service/sdk'
import { type ChannelDelivery, type ChannelHost, type ChannelMessage, channels, defineChannel } from '@agent-service/sdk/contracts/channel'

/** A vendor that a test plays; all kernels of the process share it. */
export interface Town {
  readonly sent: ChannelDelivery[]
  readonly hosts: ChannelHost[]
  /** What a send does before the vendor takes it. */
  onSend: (delivery: ChannelDelivery) => void | Promise<void>
}

const initial = (): Town => ({ sent: [], hosts: [], onSend: () => undefined })
let town = initial()

/** Starts over with a vendor that takes everything. */
export function newTown(): Town {
  town = initial()
  return town
}

/** A message of a person to the account. */
export const said = (id: string, text: string, from = 'grace'): ChannelMessage => ({
  ...{ id, conversation: { id: `with-${from}`, kind: 'direct' }, sender: { id: from, name: from, bot: false } },
  ...{ text, at: 1_767_225_600_000, mentioned: true },
})

/** Resolves once the vendor has so many messages, with their texts. */
export async function sentTexts(count: number): Promise<readonly string[]> {
  for (const since = Date.now(); town.sent.length < count; ) {
    if (Date.now() - since > 30_000) throw new Error(`The vendor has ${town.sent.length} messages, not ${count}.`)
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
  return town.sent.map(({ text }) => text)
}

export default definePlugin({
  manifest: { id: 'channel-town', apiVersion: 1, description: 'A vendor for tests.', contributes: ['channel'] },
  setup(context) {
    context.contribute(
      channels,
      defineChannel({
        ...{
          id: 'town',
          title: 'Town chat',
          limits: { text: { unit: 'characters', max: 1_000 }, attachments: { maxBytes: 1_000, maxCount: 1 } },
          supports: { webhook: true, groups: true, attachmentsIn: true, attachmentsOut: true },
        },
        connection: Type.Object({ token: Type.String({ title: 'Token', 'x-secret': true }) }, { additionalProperties: false }),
        async connect(_, host, { signal }) {
          town.hosts.push(host)
          return {
            account: { id: 'bot-1', name: '@town_bot' },
            run: () => new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason), { once: true })),
            async webhook({ method, body, url }) {
              if (method === 'GET') return { status: 200, body: new URL(url).searchParams.get('challenge') ?? '' }
              const { id, text } = JSON.parse(new TextDecoder().decode(body)) as { readonly id: string; readonly text: string }
              if (text === 'forged') return { status: 401 }
              await host.receive({ messages: [said(id, text)] })
              return { status: 200, body: 'ok', headers: { 'content-type': 'text/plain' } }
            },
            async send(delivery) {
              await town.onSend(delivery)
              town.sent.push(delivery)
              return { id: `vendor-${town.sent.length}` }
            },
          }
        },
      }),
    )
  },
})
