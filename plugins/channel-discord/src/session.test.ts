import { once } from 'node:events'
import type { JsonObject } from '@agent-service/sdk'
import type { ChannelHost, ChannelMessage } from '@agent-service/sdk/contracts/channel'
import { expect } from 'chai'
import { messageOf } from './incoming.js'
import { accountId, createDiscordBench, type DiscordBench } from './test-support/discord-bench.js'

type Failure = { readonly code?: string; readonly details?: { readonly reason?: string } }
const failureOf = (work: Promise<unknown> | undefined): Promise<Failure> =>
  (work ?? Promise.resolve()).then(
    () => ({}),
    (error: Failure) => error,
  )

describe('a session of Discord', () => {
  let bench: DiscordBench
  let life: AbortController
  let state: JsonObject | undefined
  let messages: ChannelMessage[]
  let timers: { readonly ms: number; readonly callback: () => void }[]
  let arrived: (() => void) | undefined

  const host: ChannelHost = {
    async receive(received) {
      messages.push(...received.messages)
      state = received.state ?? state
      arrived?.()
    },
    state: () => Promise.resolve(state),
  }
  const open = async () => {
    const { signal } = life
    const session = await bench.channel.connect(bench.connection, host, { signal })
    return { session, signal, ended: failureOf(session.run?.({ signal })) }
  }
  const until = async (holds: () => boolean): Promise<void> => {
    while (!holds())
      await new Promise<void>((resolve) => {
        arrived = resolve
      })
  }
  const tell = (frame: object): void => {
    for (const link of bench.links) link.send(JSON.stringify(frame))
  }
  const delivery = { id: 'd'.repeat(64), chunk: { index: 0, count: 1 }, conversationId: '800000000000000001', text: 'hello' } as const
  const opcodes = (): readonly unknown[] => bench.frames.map(({ op }) => op)

  beforeEach(async () => {
    life = new AbortController()
    timers = []
    messages = []
    state = undefined
    const clock = {
      after(ms: number, callback: () => void) {
        timers.push({ ms, callback })
        if (ms === 1_000) callback()
        return () => undefined
      },
    }
    bench = await createDiscordBench({ clock, limitMs: 5_000 })
  })
  afterEach(async () => {
    life.abort(new Error('The test is over.'))
    await bench.close()
  })

  it('resumes after a break, and receives what was written meanwhile', async () => {
    const first = await open()
    await bench.deliver({ place: 'direct', text: 'before' })
    await until(() => messages.length === 1)
    await bench.drop()
    expect((await first.ended).code).to.equal('channel_unavailable')
    await bench.deliver({ place: 'direct', text: 'meanwhile' })
    await open()
    await until(() => messages.length === 2)
    expect(messages.map(({ text }) => text)).to.deep.equal(['before', 'meanwhile'])
    expect(opcodes()).to.deep.equal([2, 6])
  })

  it('begins a new session where the old one cannot be resumed', async () => {
    const first = await open()
    await until(() => state !== undefined)
    await bench.drop()
    await first.ended
    bench.forget()
    await open()
    await bench.deliver({ place: 'direct', text: 'after' })
    await until(() => messages.length === 1)
    expect(opcodes()).to.deep.equal([2, 6, 2])
  })

  it('resolves when Discord asks to connect again, and forgets a session that became invalid', async () => {
    for (const frame of [{ op: 7 }, { op: 9, d: true }, { op: 9, d: false }]) {
      const { ended, session, signal } = await open()
      await until(() => state !== undefined)
      tell(frame)
      expect(await ended).to.deep.equal({})
      expect((await failureOf(session.send(delivery, { signal }))).code).to.equal('channel_unavailable')
    }
    expect(state).to.deep.equal({})
  })

  it('fails for good when the bot lacks an intent, or its token has ended', async () => {
    for (const [code, reason] of [
      [4014, 'missing_permission'],
      [4013, 'missing_permission'],
      [4004, 'revoked'],
    ] as const) {
      const { ended } = await open()
      for (const link of bench.links) link.close(code)
      const { code: error, details } = await ended
      expect([error, details?.reason]).to.deep.equal(['channel_unauthorized', reason])
    }
  })

  it('sends heartbeats, and ends when one is not answered', async () => {
    const { ended } = await open()
    const heard = once([...bench.links][0] ?? expect.fail(), 'message')
    timers.at(-1)?.callback()
    await heard
    expect(bench.frames.at(-1)).to.deep.equal({ op: 1, d: 1 })
    // The next one is due before the answer was read: the callback is called in the same turn.
    const beat = timers.at(-1)
    expect(beat?.ms).to.equal(41_250)
    beat?.callback()
    timers.at(-1)?.callback()
    timers.at(-1)?.callback()
    expect((await ended).code).to.equal('channel_unavailable')
  })

  it('sends messages that mention no one and show no previews, with a nonce that Discord takes', async () => {
    const { session, signal } = await open()
    await session.send({ ...delivery, text: '@everyone <@700000000000000002>' }, { signal })
    const { nonce, ...body } = bench.bodies[0] ?? {}
    expect(nonce).to.match(/^[0-9a-f]{24}$/)
    expect(body).to.deep.equal({
      ...{ content: '@everyone <@700000000000000002>', flags: 4, enforce_nonce: true },
      allowed_mentions: { parse: [], replied_user: false },
    })
  })

  it('tells Discord that a press was taken, once it is stored', async () => {
    await open()
    const answered = bench.answered()
    let before: number | undefined
    arrived = () => {
      before ??= bench.callbacks.length
    }
    const { id } = await bench.deliver({ place: 'direct', text: 'Yes', button: 'yes' })
    expect(await answered).to.equal(`/interactions/${id}/canary-press/callback`)
    expect(before).to.equal(0)
    expect(messages[0]).to.include({ text: 'Yes', button: 'yes' })
  })

  it('passes over changes, and takes a message of 10 MB, cut', async () => {
    await open()
    bench.dispatch('MESSAGE_UPDATE', { id: '1', channel_id: '2', author: { id: '3' }, type: 0, content: 'changed' })
    await bench.deliver({ place: 'direct', text: 'x'.repeat(10_000_000) })
    await bench.deliver({ place: 'direct', text: 'next' })
    await until(() => messages.length === 2)
    expect(messages.map(({ text }) => text.length)).to.deep.equal([100_000, 4])
  })

  it('rejects conversations that are none of Discord, without a request', async () => {
    const { session, signal } = await open()
    for (const conversationId of ['', '../users/@me', '1/2'])
      expect((await failureOf(session.send({ ...delivery, conversationId }, { signal }))).code).to.equal('channel_rejected')
    expect(bench.bodies).to.deep.equal([])
  })

  it('goes to no gateway that is not one of Discord', async () => {
    const other = await createDiscordBench({ gatewayHost: 'discord.example' })
    const error = await failureOf(other.channel.connect(other.connection, host, { signal: life.signal }))
    expect(error.code).to.equal('channel_unavailable')
    expect(other.frames).to.deep.equal([])
    await other.close()
  })

  it('quotes what was forwarded, with its files: it is no command and no answer of who forwards it', () => {
    const event = { type: 0, id: '1', channel_id: '2', author: { id: '3' }, content: '', message_reference: { type: 1, message_id: '4' } }
    const of = (message: object) => messageOf({ ...event, message_snapshots: [{ message }] }, accountId)
    expect(of({ content: 'yes' })?.text).to.equal('Forwarded message:\n> yes')
    expect(of({ content: '/stop\r\nnow <@5>', mentions: [{ id: '5', username: 'ann' }] })?.text).to.equal(
      'Forwarded message:\n> /stop\n> now @ann',
    )
    const file = { id: '9', filename: 'map.png', content_type: 'image/png', size: 3 }
    const picture = of({ content: '', attachments: [file] })
    expect(picture?.text).to.equal('')
    expect(picture?.attachments).to.deep.equal([{ id: '2/1/9', name: 'map.png', mediaType: 'image/png', size: 3 }])
    for (const broken of [undefined, 7, {}, { content: 7, attachments: 7, mentions: 7 }]) expect(of(broken as object)?.text).to.equal('')
  })

  it('shows mentions as people see them', () => {
    const event = { id: '1', channel_id: '2', guild_id: '3', type: 0, author: { id: '4' } }
    const mentions = [{ id: '5', username: 'ann' }]
    expect(messageOf({ ...event, content: '<@5> and <@!6>', mentions }, accountId)).to.include({ text: '@ann and @6', mentioned: false })
    const named = messageOf({ ...event, content: `hey <@!${accountId}> you`, mentions: [{ id: accountId }] }, accountId)
    expect(named).to.include({ text: 'hey you', mentioned: true })
  })
})
