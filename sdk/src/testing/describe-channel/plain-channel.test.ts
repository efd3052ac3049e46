import type { Channel } from '../../contracts/channel/channel.js'
import type { ChannelMessage } from '../../contracts/channel/messages.js'
import type { ChannelWebhookRequest } from '../../contracts/channel/webhook.js'
import { createPlainChannel, type PlainChannel } from '../plain-channel/index.js'
import { type ChannelBench, type ChannelBenchHooks, type ChannelFault, type ChannelSuiteOptions, describeChannel } from './index.js'

/** What a twin changes. */
export type ChannelChange = (channel: Channel, plain: PlainChannel, elsewhere: string[]) => Partial<Channel>

/** The plain channel as a bench, changed; with a webhook it calls that of the open session. */
export function createPlainBench(
  hooks: ChannelBenchHooks,
  { webhook = false, change = () => ({}) }: { readonly webhook?: boolean; readonly change?: ChannelChange } = {},
): ChannelBench {
  const plain = createPlainChannel()
  const connection = plain.connection({ webhook })
  const messages = new Map<string, ChannelMessage>()
  const called: string[] = []
  const elsewhere: string[] = []
  const call = async (message: ChannelMessage): Promise<void> => {
    const { status } = await hooks.webhook(plain.request(message))
    if (status === 200) called.push(message.id)
  }
  const wrong = { ...connection, id: 'wrong', members: { ...connection.members, token: 'plain-canary-of-none' } }
  return {
    channel: { ...plain.channel, ...change(plain.channel, plain, elsewhere) },
    connection,
    wrong: { 'another token': wrong },
    invalid: { 'a token of another form': { ...connection, id: 'invalid', members: { token: 'canary-of-another-form' } } },
    async deliver(given) {
      const message = plain.write(given)
      messages.set(message.id, message)
      if (webhook) void call(message)
      return message
    },
    async redeliver(id) {
      const message = messages.get(id)
      if (message === undefined) throw new Error(`There is no message ${id}.`)
      if (webhook) await call(message)
      else plain.push(message)
    },
    acknowledged: () => [...plain.acknowledged, ...called],
    async garble() {
      for (const noise of [null, 'text', { kind: 'typing' }]) {
        if (webhook) await hooks.webhook(plain.request(noise))
        else plain.push(noise)
      }
    },
    sent: () => plain.sent,
    typing: () => plain.typing,
    presence: () => plain.presence,
    forged: () => forgedOf(plain),
    removal: () => plain.request({ kind: 'removed' }),
    marks: { texts: ['@everyone'], acted: () => plain.sent.filter(({ text }) => text.includes('<call>')).length },
    elsewhere: () => elsewhere,
    connections: () => plain.waiting,
    drop: async () => plain.drop(),
    break: async (fault) => plain.fail(fault),
    mend: async () => plain.fail(),
    close: async () => undefined,
  }
}

function forgedOf(plain: PlainChannel): Readonly<Record<string, ChannelWebhookRequest>> {
  const message = { ...plain.write({ text: 'forged' }), id: 'forged' }
  const signed = plain.request(message)
  const { 'x-plain-signature': signature = '', ...unsigned } = signed.headers
  return {
    'without a signature': { ...signed, headers: unsigned },
    'with an empty signature': { ...signed, headers: { ...unsigned, 'x-plain-signature': '' } },
    'with a part of the signature': { ...signed, headers: { ...unsigned, 'x-plain-signature': signature.slice(0, 32) } },
    'with another secret': plain.request(message, { secret: 'plain-other' }),
    'with one byte changed': { ...signed, body: Buffer.from(Buffer.from(signed.body).toString().replace('forged', 'forgee')) },
    'that is a copy of an hour ago': plain.request(message, { now: Date.now() - 3_600_000 }),
    'with a new time': { ...signed, headers: { ...signed.headers, 'x-plain-time': String(Math.floor(Date.now() / 1_000) + 1) } },
  }
}

const faults: readonly ChannelFault[] = [
  'down',
  'failing',
  'silent',
  'garbled',
  'throttled',
  'revoked',
  'rejecting',
  'losing',
  'redirecting',
]

export const plainSuite: Omit<ChannelSuiteOptions, 'create' | 'name'> = {
  supports: {
    ...{ groups: true, replies: true, buttons: true, attachmentsIn: true, attachmentsOut: true, edits: true },
    ...{ typing: true, presence: true, idempotentSend: true, webhook: true },
  },
  ...{ faults, bots: true, echoes: true },
}

describeChannel({ ...plainSuite, name: 'plain, with a poll', create: (hooks) => createPlainBench(hooks) })
describeChannel({ ...plainSuite, name: 'plain, with a webhook', create: (hooks) => createPlainBench(hooks, { webhook: true }) })
