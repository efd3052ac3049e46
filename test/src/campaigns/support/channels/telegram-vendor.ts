import { createTaker, testSupport, type Vendor, type VendorFault } from './vendor.js'

interface FakeTelegram {
  readonly root: string
  readonly sent: readonly { readonly parameters: Readonly<Record<string, unknown>>; readonly text: string }[]
  queue(update: object): void
  break(fault: VendorFault | undefined): Promise<void>
  close(): Promise<void>
}

const firstChat = 1_000

/** The Bot API by polling: updates wait until an offset is behind them. Messages have no keys. */
export async function startTelegramVendor(): Promise<Vendor & { readonly root: string }> {
  const { startFakeTelegram, token } = await testSupport<{ startFakeTelegram(): Promise<FakeTelegram>; readonly token: string }>(
    'channel-telegram/dist/test-support/fake-telegram.js',
  )
  const fake = await startFakeTelegram()
  const take = createTaker(() => fake.sent)
  return {
    ...{ kind: 'telegram', hasKeys: false, members: { token }, root: fake.root },
    conversationOf: (person) => String(firstChat + person),
    write(person, number, text) {
      const id = firstChat + person
      const from = { id, is_bot: false, first_name: `Person ${person}` }
      const chat = { id, type: 'private', first_name: from.first_name }
      fake.queue({ message: { message_id: number + 1, date: 1_790_000_000 + number, chat, from, text } })
    },
    take: () => take().map(({ parameters, text }) => ({ person: Number(parameters['chat_id']) - firstChat, text })),
    suffer: (fault) => void fake.break(fault),
    reach: () => undefined,
    close: () => fake.close(),
  }
}
