import { strict as assert } from 'node:assert'
import type { ChannelMessage } from '../../contracts/channel/messages.js'
import type { ChannelSuite } from './channel-suite.js'
import { type OpenSession, reasonOf, type SessionEnd, type SuiteBench } from './suite-bench.js'

const texts = {
  'a short text': 'hello',
  'other scripts, combined characters and emoji': 'Привет, 世界! e\u0301 👩‍👩‍👧‍👦 🇦🇹',
  'marks and quotation': `a < b && c > d "x" 'y' \\ %s $1 {curly} \`tick\``,
  'what looks like code of the service': '{{name}} ${name} <script>alert(1)</script>',
  'a long text': 'A sentence of a long text. '.repeat(120).trim(),
}

/** How messages come in. */
export function describeReceiving(suite: ChannelSuite): void {
  const { it, options } = suite
  const { supports, limitMs, acknowledges } = options

  for (const [what, text] of Object.entries(texts))
    it(`receives ${what}`, async ({ open, exchange }) => {
      await open()
      const { expected, actual } = await exchange({ place: 'direct', text })
      assertSame(actual, expected)
    })

  it('receives many messages, each once, in their order', async ({ open, deliver, arrival, store }) => {
    await open()
    const expected: ChannelMessage[] = []
    for (let count = 0; count < 30; count += 1) expected.push(await deliver({ place: 'direct', text: `message ${count}` }))
    for (const { id } of expected) await arrival(id)
    assert.equal(new Set(expected.map(({ id }) => id)).size, expected.length, 'the bench must give each message an id of its own')
    assert.deepEqual(
      store.received.map(({ text }) => text),
      expected.map(({ text }) => text),
    )
  })

  it('takes a message that is huge, or leaves it out, and goes on', async (bench) => {
    const opened = await bench.open()
    await bench.deliver({ place: 'direct', text: 'a huge message '.repeat(140_000) })
    await exchangeAgain(bench, opened, 'after a huge message')
  })

  it('survives what is no message', async (bench) => {
    const opened = await bench.open()
    await bench.exchange({ place: 'direct', text: 'before' })
    await bench.garble()
    await exchangeAgain(bench, opened, 'after')
  })

  if (options.bots)
    it('says what a program has written', async ({ open, exchange }) => {
      await open()
      assertSame(...both(await exchange({ place: 'direct', text: 'beep', by: 'bot' })))
      assertSame(...both(await exchange({ place: 'direct', text: 'hello' })))
    })

  if (options.echoes)
    it('hands on nothing that the account itself has written', async ({ open, deliver, exchange, store }) => {
      await open()
      await deliver({ place: 'direct', text: 'written elsewhere', by: 'account' })
      await exchange({ place: 'direct', text: 'written by a person' })
      assert.ok(!store.received.some(({ text }) => text.includes('written elsewhere')), 'a message of the account was handed on')
    })

  if (supports.groups)
    it('says in groups whether a message is for the account', async ({ open, exchange }) => {
      await open()
      for (const mention of [undefined, 'account', 'everyone'] as const) {
        const { expected, actual } = await exchange({ place: 'group', text: 'who has the key?', ...(mention && { mention }) })
        assert.equal(expected.mentioned, mention === 'account', 'the bench must say whether the account was named')
        assertSame(actual, expected)
      }
    })

  if (supports.replies)
    it('says which message another one answers', async ({ open, exchange, delivery, signal }) => {
      const { session } = await open()
      const { actual: first } = await exchange({ place: 'direct', text: 'a question' })
      const { id } = await session.send(delivery(first.conversation.id, 'Which one?'), { signal })
      assert.ok(id !== undefined, 'a channel that supports replies gives the id of what it sent')
      const { expected, actual } = await exchange({ place: 'direct', text: 'the left one', replyTo: id })
      assert.equal(expected.replyTo, id)
      assertSame(actual, expected)
    })

  if (supports.buttons)
    it('says which button was pressed', async ({ open, exchange }) => {
      await open()
      const { expected, actual } = await exchange({ place: 'direct', text: 'Approve', button: 'approve:call_1.x' })
      assert.equal(expected.button, 'approve:call_1.x')
      assertSame(actual, expected)
    })

  if (supports.attachmentsIn) describeAttachments(suite)
  if (acknowledges) describeAcknowledgements(suite)

  it('hands the failure to store on, and receives again afterwards', async (bench) => {
    const { ended, session } = await bench.open()
    await bench.exchange({ place: 'direct', text: 'before the failure' })
    bench.store.fail(new Error('the disk is full'))
    await bench.deliver({ place: 'direct', text: 'while nothing can be stored' })
    if (session.run !== undefined) {
      const { error } = await within(ended, limitMs, 'the session goes on although nothing could be stored')
      assert.equal((error as Error | undefined)?.message, 'the disk is full', 'the session did not end with the failure')
    }
    bench.store.fail()
    if (session.run !== undefined) await bench.open()
    await bench.exchange({ place: 'direct', text: 'after the failure' })
  })
}

function describeAttachments({ it, options: { abortLimitMs } }: ChannelSuite): void {
  const bytes = Uint8Array.from({ length: 70_000 }, (_, index) => (index * 7) % 256)
  const files = [
    { name: 'blue plan.png', mediaType: 'image/png', bytes },
    { name: 'naïve “note”.txt', mediaType: 'text/plain', bytes: new TextEncoder().encode('a note') },
  ]

  it('receives files, with their content as it was', async ({ open, exchange, signal }) => {
    const { session } = await open()
    for (const file of files) {
      const { actual } = await exchange({ place: 'direct', text: `with ${file.name}`, attachments: [file] })
      const [attachment, ...others] = actual.attachments ?? []
      assert.ok(attachment !== undefined && others.length === 0, 'the message must have one attachment')
      assert.equal(attachment.name ?? file.name, file.name)
      const content = attachment.bytes ?? (await contentOf(session.download?.(attachment, { signal })))
      assert.ok(Buffer.from(content).equals(file.bytes), `the content of ${file.name} is another one`)
      assert.ok(attachment.size === undefined || attachment.size === file.bytes.length, 'the size is another one')
    }
  })

  it('gives the content of a file in another session too, and ends when it is aborted', async ({ open, exchange, signal }) => {
    const first = await open()
    const { actual } = await exchange({ place: 'direct', text: 'with a file', attachments: files.slice(0, 1) })
    const [attachment] = actual.attachments ?? []
    assert.ok(attachment !== undefined, 'the message must have an attachment')
    if (attachment.bytes !== undefined) return
    if (first.session.run !== undefined) await first.close()
    const { session } = first.session.run === undefined ? first : await open()
    const content = await contentOf(session.download?.(structuredClone(attachment), { signal }))
    assert.ok(Buffer.from(content).equals(bytes), 'the content is another one')
    const reason = new Error('stopped by the suite')
    const error = await within(
      reasonOf(contentOf(session.download?.(attachment, { signal: AbortSignal.abort(reason) }))),
      abortLimitMs,
      'an aborted download goes on',
    )
    assert.equal(error, reason, 'an aborted download must reject with the reason')
  })

  it('rejects the download of a file that is gone', async ({ open, exchange, signal }) => {
    const { session } = await open()
    const { actual } = await exchange({ place: 'direct', text: 'with a file', attachments: files.slice(0, 1) })
    const [attachment] = actual.attachments ?? []
    if (attachment === undefined || attachment.bytes !== undefined) return
    const error = await reasonOf(contentOf(session.download?.({ ...attachment, id: `${attachment.id}0` }, { signal })))
    assert.equal((error as { readonly code?: string } | undefined)?.code, 'channel_rejected')
  })
}

function describeAcknowledgements({ it }: ChannelSuite): void {
  it('acknowledges a message once it is stored, and no earlier', async ({ open, deliver, store, until, acknowledged, exchange }) => {
    await open()
    await exchange({ place: 'direct', text: 'before' })
    const release = store.hold()
    const { id } = await deliver({ place: 'direct', text: 'held' })
    await until(() => store.waiting > 0, 'the message was not handed on')
    for (let turn = 0; turn < 20; turn += 1) await new Promise((resolve) => setTimeout(resolve, 1))
    assert.ok(!acknowledged().includes(id), 'the message was acknowledged before it was stored')
    release()
    await until(() => acknowledged().includes(id), 'the message was not acknowledged after it was stored')
  })

  it('does not acknowledge what could not be stored, and receives it when it comes again', async (bench) => {
    const { session } = await bench.open()
    await bench.exchange({ place: 'direct', text: 'before' })
    bench.store.fail(new Error('the disk is full'))
    const before = bench.store.received.length
    const expected = await bench.deliver({ place: 'direct', text: 'lost at first' })
    const { id } = expected
    await bench.until(() => bench.store.failures > 0, 'the message was not handed on')
    assert.ok(!bench.acknowledged().includes(id), 'a message was acknowledged that could not be stored')
    assert.equal(bench.store.received.length, before)
    bench.store.fail()
    if (session.run !== undefined) await bench.open()
    else await bench.redeliver(id)
    assertSame(await bench.arrival(id), expected)
    await bench.until(() => bench.acknowledged().includes(id), 'the message was not acknowledged when it came again')
  })

  it('gives a message that comes twice the same id, and acknowledges it again', async ({
    open,
    exchange,
    redeliver,
    store,
    until,
    acknowledged,
  }) => {
    await open()
    const { expected, actual } = await exchange({ place: 'direct', text: 'twice' })
    await until(() => acknowledged().includes(actual.id), 'the message was not acknowledged')
    const before = acknowledged().length
    await redeliver(expected.id)
    await exchange({ place: 'direct', text: 'another' })
    const same = store.received.filter(({ text }) => text === 'twice')
    assert.deepEqual([...new Set(same.map(({ id }) => id))], [actual.id])
    assert.ok(acknowledged().length > before, 'nothing was acknowledged any more')
  })

  it('receives what was written while no session was open', async ({ open, exchange, deliver, arrival, redeliver, store }) => {
    const first = await open()
    await exchange({ place: 'direct', text: 'before' })
    const expected: ChannelMessage[] = []
    await first.close()
    for (const text of ['meanwhile', 'and another', 'and a third']) expected.push(await deliver({ place: 'direct', text }))
    const { session } = await open()
    if (session.run === undefined) for (const { id } of expected) await redeliver(id)
    for (const message of expected) assertSame(await arrival(message.id), message)
    const order = [...new Set(store.received.map(({ id }) => id))].filter((id) => expected.some((message) => message.id === id))
    assert.deepEqual(
      order,
      expected.map(({ id }) => id),
      'they came in another order',
    )
  })

  it('receives messages in any order', async ({ open, deliver, redeliver, arrival, store, exchange, until }) => {
    const { session } = await open()
    // A webhook that could not store the first message gets it again after the second one.
    if (session.run === undefined) store.fail(new Error('the disk is full'))
    const first = await deliver({ place: 'direct', text: 'first' })
    if (session.run === undefined) await until(() => store.failures > 0, 'the message was not handed on')
    store.fail()
    assertSame(...both(await exchange({ place: 'direct', text: 'second' })))
    await redeliver(first.id)
    assertSame(await arrival(first.id), first)
  })
}

const both = ({ expected, actual }: { readonly expected: ChannelMessage; readonly actual: ChannelMessage }) => [actual, expected] as const

/**
 * Writes, and waits until the message was received. A session that has ended meanwhile must have done so as
 * its contract says; then it is opened again.
 */
async function exchangeAgain(bench: SuiteBench, { ended }: OpenSession, text: string): Promise<void> {
  let end: SessionEnd | undefined
  void ended.then((value) => {
    end = value
  })
  const expected = await bench.deliver({ place: 'direct', text })
  const hasArrived = (): boolean => bench.store.received.some(({ id }) => id === expected.id)
  await bench.until(() => hasArrived() || end !== undefined, 'the next message was not received')
  if (hasArrived()) return assertSame(await bench.arrival(expected.id), expected)
  const { error } = end ?? {}
  const code = (error as { readonly code?: unknown } | undefined)?.code
  assert.ok(error === undefined || code === 'channel_unavailable', `the session ended with ${String(code ?? error)}`)
  await bench.open()
  assertSame(...both(await bench.exchange({ place: 'direct', text: `${text}, in another session` })))
}

/** Names are for people alone, and ids of attachments are the channel's. */
export function assertSame(actual: ChannelMessage, expected: ChannelMessage): void {
  const plain = ({ conversation, sender, attachments = [], ...message }: ChannelMessage) => ({
    ...message,
    ...{ conversationId: conversation.id, kind: conversation.kind, senderId: sender.id, bot: sender.bot, attachments: attachments.length },
  })
  assert.deepEqual(plain(actual), plain(expected))
}

async function contentOf(stream: AsyncIterable<Uint8Array> | undefined): Promise<Uint8Array> {
  assert.ok(stream !== undefined, 'an attachment without bytes needs “download”')
  const pieces: Uint8Array[] = []
  for await (const piece of stream) pieces.push(piece)
  return Buffer.concat(pieces)
}

async function within<T>(work: Promise<T>, limitMs: number, what: string): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const limit = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new assert.AssertionError({ message: `${what} after ${limitMs} ms` })), limitMs)
  })
  try {
    return await Promise.race([work, limit])
  } finally {
    clearTimeout(timer)
  }
}
