import type { ChannelConnection, ChannelMessage, ChannelReceived } from '@agent-service/sdk/contracts/channel'
import { channels } from '@agent-service/sdk/contracts/channel'
import { createTestContext } from '@agent-service/sdk/testing'
import { expect } from 'chai'
import { createTelegramChannel } from './channel.js'
import plugin from './index.js'
import { type FakeTelegram, startFakeTelegram, token } from './test-support/fake-telegram.js'

const day = 86_400_000
const message = (id: number, text: string) => ({
  message: {
    message_id: id,
    date: 1_790_000_000,
    chat: { id: 7, type: 'private' },
    from: { id: 7, is_bot: false, first_name: 'Ann' },
    text,
  },
})

describe('a bot of Telegram', () => {
  let vendor: FakeTelegram
  let received: ChannelMessage[]
  let state: ChannelReceived['state']
  let waits: number[]
  let now: number
  let arrived: () => void
  let controller: AbortController

  beforeEach(async () => {
    vendor = await startFakeTelegram()
    ;[received, state, waits, now, arrived, controller] = [[], undefined, [], 1_790_000_000_000, () => undefined, new AbortController()]
  })
  afterEach(async () => {
    controller.abort(new Error('the test has ended'))
    await vendor.close()
  })

  const connect = async (members: ChannelConnection['members'] = {}) =>
    createTelegramChannel({
      ...{ root: vendor.root, log: { debug: () => undefined } },
      clock: { now: () => now, wait: async (milliseconds) => void waits.push(milliseconds) },
    }).connect(
      { id: 'one', origin: 'user', members: { token, ...members }, webhookUrl: 'https://agents.example/channels/one' },
      {
        async receive(given) {
          received.push(...given.messages)
          state = given.state ?? state
          arrived()
        },
        state: async () => state,
      },
      { signal: controller.signal },
    )
  const next = (): Promise<void> =>
    new Promise((resolve) => {
      arrived = resolve
    })
  const codeOf = (work: Promise<unknown> | undefined) =>
    Promise.resolve(work).then(
      () => 'none',
      ({ code, message: text }: { readonly code: string; readonly message: string }) => {
        expect(text).not.to.include('canary')
        return code
      },
    )
  const { signal } = new AbortController()
  const delivery = { id: 'd1', chunk: { index: 0, count: 1 }, conversationId: '7', text: 'a text' }

  it('waits as long as Telegram says while it receives, and stays open', async () => {
    const session = await connect()
    vendor.answerOnce('getUpdates', 429, { ok: false, parameters: { retry_after: 17 } })
    vendor.queue(message(1, 'after the wait'))
    const stored = next()
    const running = codeOf(session.run?.({ signal: controller.signal }))
    await stored
    expect([waits, received.map(({ text }) => text)]).to.deep.equal([[17_000], ['after the wait']])
    controller.abort(new Error('the end'))
    await running
  })

  it('ends when another program polls, and sends nothing afterwards', async () => {
    const session = await connect()
    vendor.answerOnce('getUpdates', 409, { ok: false, description: 'Conflict: terminated by other getUpdates request' })
    expect(await codeOf(session.run?.({ signal: controller.signal }))).to.equal('channel_unavailable')
    expect(await codeOf(session.send(delivery, { signal }))).to.equal('channel_unavailable')
    expect(vendor.sent).to.deep.equal([])
  })

  it('forgets a position that is older than Telegram keeps, and goes on from one that is not', async () => {
    for (const [age, offset] of [
      [day, 5_000],
      [7 * day, undefined],
    ] as const) {
      state = { offset: 5_000, at: now - age }
      const session = await connect()
      const before = vendor.calls.length
      const run = new AbortController()
      const running = codeOf(session.run?.({ signal: run.signal }))
      const asked = () => vendor.calls.slice(before).find(({ method }) => method === 'getUpdates')
      while (asked() === undefined) await new Promise((resolve) => setImmediate(resolve))
      expect(asked()?.parameters['offset']).to.equal(offset)
      run.abort(new Error('the end'))
      await running
    }
  })

  it('switches between polling and webhook, with what waits kept', async () => {
    await connect({ receive: 'webhook' })
    expect(vendor.webhook).to.deep.include({ url: 'https://agents.example/channels/one', allowed_updates: ['message', 'callback_query'] })
    vendor.queue(message(1, 'meanwhile'))
    const session = await connect({ receive: 'polling' })
    expect([vendor.webhook, vendor.calls.at(-1)?.parameters]).to.deep.equal([undefined, { drop_pending_updates: false }])
    const stored = next()
    const running = codeOf(session.run?.({ signal: controller.signal }))
    await stored
    expect(received.map(({ text }) => text)).to.deep.equal(['meanwhile'])
    controller.abort(new Error('the end'))
    await running
  })

  it('receives a message of 10 MB', async () => {
    const session = await connect()
    vendor.queue(message(1, 'x'.repeat(10_000_000)))
    const stored = next()
    const running = codeOf(session.run?.({ signal: controller.signal }))
    await stored
    expect(received[0]?.text.length).to.equal(10_000_000)
    controller.abort(new Error('the end'))
    await running
  })

  it('sends a text that is too long for a caption before its file, and to a topic', async () => {
    const session = await connect()
    const bytes = Buffer.from('content')
    const file = { name: 'a.txt', mediaType: 'text/plain', size: bytes.length, bytes: piecesOf(bytes) }
    const text = 'word '.repeat(300).trim()
    const { id } = await session.send({ ...delivery, conversationId: '-100/3', text, attachments: [file] }, { signal })
    expect(vendor.sent.map((each) => [each.text, each.file?.name, each.parameters['message_thread_id']])).to.deep.equal([
      [text, undefined, 3],
      ['', 'a.txt', 3],
    ])
    expect(id).to.equal(`-100/${vendor.sent[0]?.number}`)
  })

  it('does not ask to send a text again that is there without its file', async () => {
    const session = await connect()
    vendor.answerOnce('sendDocument', 429, { ok: false, parameters: { retry_after: 1 } })
    const file = { name: 'a.txt', mediaType: 'text/plain', size: 1, bytes: piecesOf(Buffer.from('a')) }
    const work = session.send({ ...delivery, text: 'word '.repeat(300), attachments: [file] }, { signal })
    expect(await codeOf(work)).to.equal('channel_outcome_unknown')
  })

  it('takes a person who has blocked the bot for a refusal of this message alone', async () => {
    const session = await connect()
    vendor.answerOnce('sendMessage', 403, { ok: false, description: 'Forbidden: bot was blocked by the user' })
    expect(await codeOf(session.send(delivery, { signal }))).to.equal('channel_rejected')
    await session.send(delivery, { signal })
    expect(vendor.sent.length).to.equal(1)
  })

  it('sends no previews', async () => {
    const session = await connect()
    await session.send({ ...delivery, text: 'https://example.org/?secret' }, { signal })
    expect(vendor.sent[0]?.parameters['link_preview_options']).to.deep.equal({ is_disabled: true })
  })
})

async function* piecesOf(bytes: Uint8Array): AsyncIterable<Uint8Array> {
  yield bytes
}

it('contributes the channel', async () => {
  const test = createTestContext(plugin)
  await test.setup()
  expect(test.contributed(channels).map(({ id }) => id)).to.deep.equal(['telegram'])
  await test.dispose()
})
