import { once } from 'node:events'
import type { ChannelHost, ChannelMessage } from '@agent-service/sdk/contracts/channel'
import { expect } from 'chai'
import { createSlackChannel } from './channel.js'
import { createFakeSlack, type FakeSlack, tokens } from './test-support/fake-slack.js'
import { eventOf } from './test-support/slack-bench.js'

const connection = { id: 'one', origin: 'user', members: { bot_token: tokens.bot, app_token: tokens.app } } as const

type Failure = { readonly code?: string; readonly details?: object }
const failureOf = (work: Promise<unknown> | undefined): Promise<Failure> =>
  (work ?? Promise.resolve()).then(
    () => ({}),
    (error: Failure) => error,
  )

describe('a session of Slack', () => {
  let slack: FakeSlack
  let life: AbortController
  const open = async (
    options: Parameters<typeof createSlackChannel>[0] = {},
    receive: ChannelHost['receive'] = () => Promise.resolve(),
  ) => {
    const channel = createSlackChannel({ baseUrl: slack.baseUrl, ...options })
    const { signal } = life
    const host: ChannelHost = { receive, state: () => Promise.resolve(undefined) }
    return { signal, session: await channel.connect(connection, host, { signal }) }
  }
  const say = (frame: object): void => {
    for (const link of slack.links) link.send(JSON.stringify(frame))
  }
  const delivery = { id: 'd1', chunk: { index: 0, count: 1 }, conversationId: 'C1', text: 'hello' } as const

  beforeEach(async () => {
    life = new AbortController()
    slack = await createFakeSlack({ answersPings: false })
  })
  afterEach(async () => {
    life.abort(new Error('The test is over.'))
    await slack.stop()
  })

  it('resolves when Slack asks to connect again, after it has stored what came before', async () => {
    const messages: ChannelMessage[] = []
    const { session, signal } = await open({}, async (received) => void messages.push(...received.messages))
    const payload = { type: 'event_callback', event: eventOf('D1', 'UANN', 'just before', '1790000000.000100') }
    say({ envelope_id: 'e1', type: 'events_api', payload })
    say({ type: 'disconnect', reason: 'refresh_requested' })
    await session.run?.({ signal })
    expect(messages.map(({ text }) => text)).to.deep.equal(['just before'])
    expect((await failureOf(session.send(delivery, { signal }))).code).to.equal('channel_unavailable')
  })

  it('does not acknowledge what comes after the farewell, and still acknowledges what came before', async () => {
    const acknowledged: string[] = []
    slack.onAcknowledged((id) => void acknowledged.push(id))
    const { session, signal } = await open()
    const envelope = (id: string): object => ({ envelope_id: id, type: 'slash_commands', payload: {} })
    for (const frame of [envelope('e1'), envelope('e2'), { type: 'disconnect', reason: 'warning' }, envelope('e3')]) say(frame)
    const closed = Promise.all([...slack.links].map((link) => once(link, 'close')))
    await session.run?.({ signal })
    await closed
    expect(acknowledged).to.deep.equal(['e1', 'e2'])
  })

  it('takes a message of 10 MB, cut, and the next one', async () => {
    const lengths: number[] = []
    const { session, signal } = await open({}, async (received) => void lengths.push(...received.messages.map(({ text }) => text.length)))
    for (const [index, text] of ['x'.repeat(10_000_000), 'next'].entries()) {
      const event = eventOf('D1', 'UANN', text, `1790000000.00010${index}`)
      say({ envelope_id: `e${index}`, type: 'events_api', payload: { type: 'event_callback', event } })
    }
    say({ type: 'disconnect', reason: 'refresh_requested' })
    await session.run?.({ signal })
    expect(lengths).to.deep.equal([250_000, 4])
  })

  it('fails for good when Socket Mode was switched off', async () => {
    const { session, signal } = await open()
    say({ type: 'disconnect', reason: 'link_disabled' })
    expect((await failureOf(session.run?.({ signal }))).code).to.equal('channel_unauthorized')
    expect((await failureOf(session.send(delivery, { signal }))).code).to.equal('channel_unauthorized')
  })

  it('ends when the connection is dead, by the clock', async () => {
    const beats: (() => void)[] = []
    const clock = {
      after(_: number, callback: () => void) {
        beats.push(callback)
        return () => undefined
      },
    }
    const { session, signal } = await open({ clock })
    const running = failureOf(session.run?.({ signal }))
    for (const _ of [1, 2]) beats.at(-1)?.()
    expect((await running).code).to.equal('channel_unavailable')
  })

  it('answers in threads, and has no links opened', async () => {
    const { session, signal } = await open()
    await session.send({ ...delivery, conversationId: 'C1:1790000000.000100' }, { signal })
    expect(slack.sent[0]?.conversationId).to.equal('C1:1790000000.000100')
    const { parameters } = slack.calls.at(-1) ?? {}
    expect([parameters?.get('unfurl_links'), parameters?.get('unfurl_media')]).to.deep.equal(['false', 'false'])
  })

  it('puts files, text and buttons into one message, and uploads without the token', async () => {
    const { session, signal } = await open()
    const bytes = async function* () {
      yield new TextEncoder().encode('a plan')
    }
    const attachments = [{ name: 'plan.txt', mediaType: 'text/plain', size: 6, bytes: bytes() }]
    const receipt = await session.send({ ...delivery, text: 'May I?', attachments, buttons: [{ label: 'Yes', value: 'yes' }] }, { signal })
    expect(receipt).to.deep.equal({})
    const [message, ...others] = slack.sent
    expect(others).to.deep.equal([])
    expect(message).to.deep.include({ text: 'May I?', buttons: [{ label: 'Yes', value: 'yes' }] })
    expect(String(Buffer.from(message?.files?.[0]?.bytes ?? []))).to.equal('a plan')
    expect(slack.uploadsWithToken).to.equal(0)
  })

  it('asks to wait as long as Slack says', async () => {
    const { session, signal } = await open()
    slack.fault = 'throttled'
    const { code, details } = await failureOf(session.send(delivery, { signal }))
    expect([code, details]).to.deep.equal(['channel_throttled', { channel: 'Slack', retryAfterMs: 3_000 }])
  })

  it('tells refusals of a message, of the credentials, and of the vendor apart', async () => {
    const { session, signal } = await open()
    const expected = {
      msg_too_long: 'channel_rejected',
      not_in_channel: 'channel_rejected',
      constructor: 'channel_rejected',
      token_expired: 'channel_unauthorized',
      missing_scope: 'channel_unauthorized',
      ratelimited: 'channel_throttled',
      fatal_error: 'channel_outcome_unknown',
      service_unavailable: 'channel_unavailable',
    }
    for (const [error, code] of Object.entries(expected)) {
      slack.errors.set('chat.postMessage', error)
      expect((await failureOf(session.send(delivery, { signal }))).code, error).to.equal(code)
    }
  })

  it('refuses a file when the app lacks the scope, and goes on', async () => {
    const { session, signal } = await open()
    slack.errors.set('files.info', 'missing_scope')
    const content = (async () => {
      for await (const _ of session.download?.({ id: 'F1' }, { signal }) ?? []) expect.fail('there is no content')
    })()
    expect((await failureOf(content)).code).to.equal('channel_rejected')
    await session.send(delivery, { signal })
  })

  it('goes to no address that is not one of Slack', async () => {
    const other = createSlackChannel({ baseUrl: slack.baseUrl.replace('127.0.0.1', 'localhost') })
    const host: ChannelHost = { receive: () => Promise.resolve(), state: () => Promise.resolve(undefined) }
    const error = await failureOf(other.connect(connection, host, { signal: life.signal }))
    expect(error.code).to.equal('channel_unavailable')
    expect(slack.links.size).to.equal(0)
  })
})
