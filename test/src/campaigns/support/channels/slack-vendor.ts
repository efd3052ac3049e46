import { createTaker, testSupport, type Vendor, type VendorFault } from './vendor.js'

interface Link {
  send(text: string): void
}

interface FakeSlack {
  readonly baseUrl: string
  readonly sent: readonly { readonly conversationId: string; readonly text: string }[]
  readonly links: ReadonlySet<Link>
  fault: VendorFault | undefined
  onAcknowledged(listener: (envelopeId: string) => void): void
  onLink(listener: (link: Link) => void): void
  stop(): Promise<void>
}

/** Socket Mode: an envelope comes again on each new connection until it is acknowledged. Messages have no keys. */
export async function startSlackVendor(): Promise<Vendor & { readonly baseUrl: string }> {
  const { createFakeSlack, tokens } = await testSupport<{
    createFakeSlack(): Promise<FakeSlack>
    readonly tokens: { readonly bot: string; readonly app: string }
  }>('channel-slack/dist/test-support/fake-slack.js')
  const fake = await createFakeSlack()
  const unstored = new Map<string, object>()
  let envelopes = 0
  const take = createTaker(() => fake.sent)
  const send = (link: Link, id: string, payload: object): void =>
    link.send(JSON.stringify({ envelope_id: id, type: 'events_api', accepts_response_payload: false, payload }))
  fake.onAcknowledged((id) => unstored.delete(id))
  fake.onLink((link) => {
    for (const [id, payload] of unstored) send(link, id, payload)
  })
  return {
    ...{ kind: 'slack', hasKeys: false, members: { bot_token: tokens.bot, app_token: tokens.app }, baseUrl: fake.baseUrl },
    conversationOf: (person) => `D${person}`,
    write(person, number, text) {
      const ts = `1790000000.${String(number).padStart(6, '0')}`
      const event = { type: 'message', channel: `D${person}`, channel_type: 'im', user: `U${person}`, text, ts }
      envelopes += 1
      const id = `envelope-${envelopes}`
      const payload = { type: 'event_callback', event_id: `Ev${id}`, team_id: 'T1', authorizations: [{ user_id: 'UAGENT' }], event }
      unstored.set(id, payload)
      for (const link of [...fake.links].slice(-1)) send(link, id, payload)
    },
    take: () => take().map(({ conversationId, text }) => ({ person: Number(conversationId.slice(1)), text })),
    suffer(fault) {
      fake.fault = fault
    },
    reach: () => undefined,
    close: () => fake.stop(),
  }
}
