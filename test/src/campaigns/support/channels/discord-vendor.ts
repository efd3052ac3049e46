import { createTaker, testSupport, type Vendor, type VendorFault } from './vendor.js'

interface FakeDiscord {
  readonly address: string
  dispatch(type: string, data: object): void
  sent(): readonly { readonly conversationId: string; readonly text: string }[]
  break(fault: VendorFault | undefined): Promise<void>
  close(): Promise<void>
}

const [firstUser, firstChannel] = [710_000_000_000_000_000n, 810_000_000_000_000_000n]
/** Milliseconds since 2015, in the upper bits of an id. */
const firstTime = 1_790_000_000_000n - 1_420_070_400_000n

/** The gateway, whose sessions are resumed where they were left. A message under a known nonce is taken once. */
export async function startDiscordVendor(): Promise<Vendor & { readonly address: string }> {
  const { createDiscordBench, token } = await testSupport<{ createDiscordBench(): Promise<FakeDiscord>; readonly token: string }>(
    'channel-discord/dist/test-support/discord-bench.js',
  )
  const fake = await createDiscordBench()
  const take = createTaker(() => fake.sent())
  const idOf = (first: bigint, person: number): string => String(first + BigInt(person))
  return {
    ...{ kind: 'discord', hasKeys: true, members: { token }, address: fake.address },
    conversationOf: (person) => idOf(firstChannel, person),
    write(person, number, text) {
      const author = { id: idOf(firstUser, person), username: `person-${person}`, bot: false }
      const id = String(((firstTime + BigInt(number)) << 22n) + BigInt(person))
      const event = { id, channel_id: idOf(firstChannel, person), type: 0, author, content: text, mentions: [], attachments: [] }
      fake.dispatch('MESSAGE_CREATE', event)
    },
    take: () => take().map(({ conversationId, text }) => ({ person: Number(BigInt(conversationId) - firstChannel), text })),
    suffer: (fault) => void fake.break(fault),
    reach: () => undefined,
    close: () => fake.close(),
  }
}
