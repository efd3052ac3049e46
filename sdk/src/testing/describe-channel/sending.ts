import { strict as assert } from 'node:assert'
import type { ChannelDelivery, ChannelFile } from '../../contracts/channel/deliveries.js'
import { assertMembers } from '../settle-within.js'
import { givenInput } from '../unchecked-rules.js'
import type { ChannelBenchSent } from './channel-bench.js'
import type { ChannelSuite } from './channel-suite.js'
import { reasonOf, type SuiteBench } from './suite-bench.js'

const texts = {
  'a short text': 'hello',
  'several lines': 'one\ntwo\n\nthree',
  'other scripts, combined characters and emoji': 'Привет, 世界! e\u0301 👩‍👩‍👧‍👦 🇦🇹',
  'marks and quotation': `a < b && c > d "x" 'y' %s $1 {curly} 100%`,
}

/** How messages go out. */
export function describeSending(suite: ChannelSuite): void {
  const { it, options } = suite
  const { supports } = options

  for (const [what, text] of Object.entries(texts))
    it(`sends ${what}, once, to its conversation`, async (bench) => {
      const { send, conversationId } = await opened(bench)
      const { receipt, sent } = await send({ text })
      assertMembers(receipt, ['id'], 'a receipt')
      assert.equal(sent.conversationId, conversationId)
      assert.equal(receipt.id, sent.id, 'the id of the receipt is not that of the vendor')
    })

  it('sends a text that is as long as its limit', async (bench) => {
    const { send } = await opened(bench)
    await send({ text: longest(bench.channel.limits.text) })
  })

  it('sends many messages at the same time, each to its own conversation', async (bench) => {
    const { session, conversationId } = await opened(bench)
    const places = [conversationId, ...(supports.groups ? [await groupOf(bench)] : [])]
    const deliveries = Array.from({ length: 12 }, (_, index) => bench.delivery(places[index % places.length] ?? '', `answer ${index}`))
    const receipts = await Promise.all(deliveries.map((each) => session.send(each, { signal: bench.signal })))
    for (const [index, { conversationId: to, text }] of deliveries.entries()) {
      const sent = bench.sentWith(text)
      assert.equal(sent.length, 1, `“${text}” was sent ${sent.length} times`)
      assert.equal(sent[0]?.conversationId, to, `“${text}” is in another conversation`)
      assert.equal(receipts[index]?.id, sent[0]?.id, `the receipt of “${text}” has another id`)
    }
  })

  it('sends two messages for two deliveries of the same text', async (bench) => {
    const { session, conversationId } = await opened(bench)
    for (let count = 0; count < 2; count += 1) await session.send(bench.delivery(conversationId, 'the same'), { signal: bench.signal })
    assert.equal(bench.sentWith('the same').length, 2)
  })

  if (supports.idempotentSend)
    it('sends one message for one delivery, however often it is called, also in another session', async (bench) => {
      const { session, conversationId, close } = await opened(bench)
      const delivery = bench.delivery(conversationId, 'only once')
      const { id } = await session.send(delivery, { signal: bench.signal })
      assert.equal((await session.send(delivery, { signal: bench.signal })).id, id, 'the second call has another receipt')
      await close()
      const again = await bench.open()
      await again.session.send(delivery, { signal: bench.signal })
      assert.equal(bench.sentWith('only once').length, 1)
    })

  if (supports.replies)
    it('says which message it answers', async (bench) => {
      const { send, received } = await opened(bench)
      const { sent } = await send({ text: 'an answer', replyTo: received.id })
      assert.equal(sent.replyTo, received.id)
      assert.equal((await send({ text: 'no answer' })).sent.replyTo, undefined)
    })

  if (supports.buttons)
    it('sends buttons', async (bench) => {
      const { send } = await opened(bench)
      const buttons = ['Approve', 'Deny', 'Approve for an hour'].map((label, index) => ({ label, value: `choice:call_1.${index}` }))
      assert.deepEqual((await send({ text: 'May I?', buttons })).sent.buttons, buttons)
    })

  describeMarks(suite)
  if (supports.attachmentsOut) describeFiles(suite)
  if (supports.edits) describeEdits(suite)

  if (supports.typing)
    it('shows where it writes', async (bench) => {
      const { session, conversationId } = await opened(bench)
      await session.typing?.(conversationId, { signal: bench.signal })
      assert.deepEqual([...new Set(bench.typing?.())], [conversationId])
      assert.deepEqual(bench.sent(), [], 'showing it has sent a message')
    })

  if (supports.presence)
    it('shows whether it answers', async (bench) => {
      const { session } = await opened(bench)
      for (const state of ['away', 'online'] as const) {
        await session.presence?.(state, { signal: bench.signal })
        assert.equal(bench.presence?.().at(-1), state)
      }
    })

  it('sends nothing that was aborted before', async (bench) => {
    const { session, conversationId } = await opened(bench)
    const reason = new Error('stopped by the suite')
    const delivery = bench.delivery(conversationId, 'never sent')
    const error = await reasonOf((async () => session.send(delivery, { signal: AbortSignal.abort(reason) }))())
    assert.equal(error, reason, 'it did not reject with the reason of the abort')
    await session.send(bench.delivery(conversationId, 'sent'), { signal: bench.signal })
    assert.equal(bench.sentWith('never sent').length, 0)
  })

  it('leaves a delivery as it is', async (bench) => {
    const { session, conversationId } = await opened(bench)
    const delivery = bench.delivery(conversationId, 'frozen')
    await session.send(Object.freeze({ ...delivery, chunk: Object.freeze(delivery.chunk) }), { signal: bench.signal })
    assert.equal(bench.sentWith('frozen').length, 1)
  })
}

function describeMarks({ it, unchecked, options: { supports } }: ChannelSuite): void {
  it('sends as mere text what the vendor would act on', async (bench) => {
    if (bench.marks === undefined) unchecked.without('marks', 'what the vendor would act on in a text is sent as mere text')
    const marks = givenInput(bench.marks)
    if (marks === undefined) return
    assert.ok(marks.texts.length > 0, 'the bench must have at least one mark')
    const { session, conversationId } = await opened(bench)
    const to = supports.groups ? await groupOf(bench) : conversationId
    const texts = marks.texts.flatMap((mark) => [
      ...[mark, `before ${mark} after`],
      ...(supports.markdown ? [`**${mark}**`, `- ${mark}`, `[${mark}](https://example.org/)`] : []),
    ])
    for (const text of texts) {
      const { id } = await session.send(bench.delivery(to, text), { signal: bench.signal })
      assert.equal(marks.acted(), 0, `the vendor acted on “${text}”`)
      if (!supports.edits || id === undefined) continue
      await session.edit?.({ id, conversationId: to, text: `changed to ${text}` }, { signal: bench.signal })
      assert.equal(marks.acted(), 0, `the vendor acted on “${text}” of a changed message`)
    }
  })
}

function describeFiles({ it }: ChannelSuite): void {
  const bytes = Uint8Array.from({ length: 50_000 }, (_, index) => (index * 11) % 256)

  it('sends files as they are, with a text and without', async (bench) => {
    const { session, send, conversationId } = await opened(bench)
    const { sent } = await send({ text: 'with a file', attachments: [fileOf('plan a.png', 'image/png', bytes)] })
    assert.deepEqual(namesOf(sent), ['plan a.png'])
    assert.ok(Buffer.from(sent.files?.[0]?.bytes ?? []).equals(bytes), 'the content is another one')
    const before = bench.sent().length
    await session.send(bench.delivery(conversationId, '', { attachments: [fileOf('note.txt', 'text/plain', bytes.slice(0, 9))] }), {
      signal: bench.signal,
    })
    assert.deepEqual(bench.sent().slice(before).flatMap(namesOf), ['note.txt'])
  })

  it('fails when a file cannot be read, and sends nothing', async (bench) => {
    const { session, conversationId } = await opened(bench)
    const broken: ChannelFile = { ...fileOf('broken.bin', 'application/octet-stream', bytes), bytes: failing(bytes) }
    const error = await reasonOf(
      session.send(bench.delivery(conversationId, 'with a broken file', { attachments: [broken] }), { signal: bench.signal }),
    )
    assert.ok(error !== undefined, 'a file that cannot be read was taken as sent')
    await session.send(bench.delivery(conversationId, 'afterwards'), { signal: bench.signal })
    assert.deepEqual(
      bench.sent().map(({ text }) => text),
      ['afterwards'],
    )
  })
}

function describeEdits({ it }: ChannelSuite): void {
  it('changes a message that was sent', async (bench) => {
    const { session, send, conversationId } = await opened(bench)
    const { receipt } = await send({ text: 'May I?' })
    assert.ok(receipt.id !== undefined, 'a channel that supports edits gives the id of what it sent')
    await session.edit?.({ id: receipt.id, conversationId, text: 'It was approved.' }, { signal: bench.signal })
    assert.deepEqual(
      bench.sent().map(({ id, text }) => ({ id, text })),
      [{ id: receipt.id, text: 'It was approved.' }],
    )
  })
}

type Sending = Partial<ChannelDelivery> & { readonly text: string }

/** An open session in which a person has written. */
export async function opened(bench: SuiteBench) {
  const { session, close, ended } = await bench.open()
  const { actual: received } = await bench.exchange({ place: 'direct', text: 'a request' })
  const conversationId = received.conversation.id
  return {
    ...{ session, close, ended, received, conversationId },
    /** Sends, and finds what people see of it: one message. */
    async send({ text, ...more }: Sending) {
      const before = bench.sent().length
      const receipt = await session.send(bench.delivery(conversationId, text, more), { signal: bench.signal })
      const [sent, ...others] = bench.sent().slice(before)
      assert.ok(sent !== undefined, 'nothing was sent')
      assert.equal(others.length, 0, 'more than one message was sent')
      assert.equal(sent.text, text, 'people see another text')
      return { receipt, sent }
    },
  }
}

async function groupOf(bench: SuiteBench): Promise<string> {
  const { actual } = await bench.exchange({ place: 'group', text: 'from a group' })
  return actual.conversation.id
}

/** Words up to the limit, at most 20,000 characters of them. */
function longest({ unit, max }: SuiteBench['channel']['limits']['text']): string {
  const ofSegments = max === 1 ? 160 : max * 153
  const length = Math.min(20_000, unit === 'segments' ? ofSegments : max)
  return `${'word '
    .repeat(4_000)
    .slice(0, length - 1)
    .replace(/ $/, 'x')}x`
}

const namesOf = ({ files = [] }: ChannelBenchSent): readonly string[] => files.map(({ name }) => name)

const fileOf = (name: string, mediaType: string, bytes: Uint8Array): ChannelFile => ({
  ...{ name, mediaType, size: bytes.length },
  bytes: inPieces(bytes),
})

async function* inPieces(bytes: Uint8Array): AsyncIterable<Uint8Array> {
  for (let at = 0; at < bytes.length; at += 16_384) yield bytes.subarray(at, at + 16_384)
}

async function* failing(bytes: Uint8Array): AsyncIterable<Uint8Array> {
  yield bytes.subarray(0, 1_000)
  throw new Error('the file is gone')
}
