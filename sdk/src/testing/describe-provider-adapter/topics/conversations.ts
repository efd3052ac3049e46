import { strict as assert } from 'node:assert'
import { type ProviderAdapter, supportOf } from '../../../contracts/provider-adapter/adapter.js'
import type { ImagePart } from '../../../contracts/provider-adapter/content.js'
import type { ModelMessage, ModelRequest } from '../../../contracts/provider-adapter/request.js'
import {
  type MarkedCall,
  type MarkedMessage,
  manyTurns,
  markedCalls,
  markedText,
  markedTools,
  messagesOf,
  textOf,
  workingConversation,
} from '../support/marked-conversation.js'
import { bodyOf, bodyOrRefusal, type SuiteTopic } from '../support/suite-call.js'
import type { WatchedUpstream } from '../support/watched-upstream.js'
import { assertInOrder, assertOnce, assertValue, countIn, readWire, type WireText } from '../support/wire-text.js'

/**
 * A conversation reaches the vendor as it is: whole, in order, nothing twice. Each part has a text
 * that occurs nowhere else, so the rules hold for every protocol.
 */
export function describeConversations(topic: SuiteTopic): void {
  topic.runner.describe('conversations', () => {
    describeTexts(topic)
    describeWork(topic)
    describePictures(topic)
    describeDifferences(topic)
  })
}

function describeTexts({ testWire }: SuiteTopic): void {
  testWire('text', 'of many messages: every part of each, whole, once and in order, streamed or not', async (adapter, upstream) => {
    const marks = manyTurns.flatMap((turn) => turn.marks)
    for (const stream of adapter.supports.streaming ? [true, false] : [false]) {
      const wire = await wireOf(adapter, upstream, { messages: messagesOf(manyTurns), stream })
      for (const mark of marks) assertOnce(wire, markedText(mark), `${mark}a`, `the text “${mark}”`)
      assertInOrder(
        wire,
        marks.map((mark) => markedText(mark)),
        'the texts',
      )
    }
  })

  testWire('text', 'with a system prompt of several messages and parts: all of it, once and in order', async (adapter, upstream) => {
    const system = [['rule1', 'rule2'], ['rule3']]
    const messages: readonly ModelMessage[] = [
      ...system.map((marks) => ({ role: 'system', content: marks.map(textOf) }) as const),
      { role: 'user', content: [textOf('asked')] },
    ]
    const wire = await wireOf(adapter, upstream, { messages })
    for (const mark of [...system.flat(), 'asked']) assertOnce(wire, markedText(mark), `${mark}a`, `the text “${mark}”`)
    assertInOrder(
      wire,
      system.flat().map((mark) => markedText(mark)),
      'the parts of the system prompt',
    )
  })

  testWire('text', 'with very long texts: the whole of each', async (adapter, upstream) => {
    const long = 'Thymian wächst im Garten 🌿. '.repeat(8_000)
    const roles = ['system', 'user', 'assistant', 'user'] as const
    const texts = roles.map((_, index) => markedText(`long${index}`, long))
    const messages = roles.map((role, index): ModelMessage => ({ role, content: [{ type: 'text', text: String(texts[index]) }] }))
    const wire = await wireOf(adapter, upstream, { messages })
    for (const [index, text] of texts.entries()) assertOnce(wire, text, `long${index}a`, `the text of ${text.length} characters`)
  })

  testWire('text', 'after one another: nothing of one in another', async (adapter, upstream) => {
    for (const mark of ['earlier', 'later']) {
      const { text } = await wireOf(adapter, upstream, { messages: [{ role: 'user', content: [textOf(mark)] }] })
      if (mark === 'later') assert.ok(!text.includes('earliera'), 'a text of the conversation before is on the wire')
    }
  })
}

function describeWork({ testWire }: SuiteTopic): void {
  const working = (
    title: string,
    body: (wire: WireText, messages: readonly MarkedMessage[]) => void,
    rounds?: readonly (readonly MarkedCall[])[],
  ) =>
    testWire('text', `${title}, if the adapter declares tools`, async (adapter, upstream) => {
      if (!supportOf(adapter, upstream.protocol).tools) return
      const messages = workingConversation(rounds)
      for (const stream of adapter.supports.streaming ? [true, false] : [false])
        body(await wireOf(adapter, upstream, { messages: messages.map(({ message }) => message), tools: markedTools, stream }), messages)
    })

  working('with tool calls: every text and result, whole, once and in order', (wire, messages) => {
    const texts = messages.flatMap((message) => message.texts)
    for (const text of texts) assertOnce(wire, text, text.slice(0, text.indexOf(' ')), `the text “${text.slice(0, text.indexOf(' ') - 1)}”`)
    assertInOrder(wire, texts, 'the texts and results')
  })

  working('with tool calls: the name and the arguments of each, between what was said before and its result', (wire, messages) => {
    for (const [index, { calls }] of messages.entries()) {
      const turn = turnOf(wire, messages, index)
      for (const { name, arguments: given } of calls) {
        const place = String(given['place'])
        assertOnce(wire, place, place, `the argument “${place}”`)
        assert.ok(turn.includes(place), `the argument “${place}” is in another turn`)
        assert.ok(turn.includes(name), `the name “${name}” of a call did not reach the wire`)
        assertValue(wire, given, `the arguments of the call of ${name}`)
      }
      assertInOrder(
        wire,
        calls.map((call) => String(call.arguments['place'])),
        'the calls',
      )
    }
  })

  working('with tool calls: a result under the id of its call, if the protocol has ids', assertIds)

  working(
    'with a tool result that is empty: a result under the id of its call, if the protocol has ids',
    assertIds,
    markedCalls.map((calls) => calls.map((one, index) => (index === 0 ? { ...one, result: [] } : one))),
  )

  testWire(
    'text',
    'with many tools: every description, parameter and allowed value, if the adapter declares tools',
    async (adapter, upstream) => {
      if (!supportOf(adapter, upstream.protocol).tools) return
      const wire = await wireOf(adapter, upstream, { tools: markedTools })
      for (const { name, description } of markedTools) {
        assertOnce(wire, description, `describes_${name}a`, `the description of ${name}`)
        const marks = [markedText(`place_of_${name}`), `herb_of_${name}`, `thyme_of_${name}`, `sage_of_${name}`]
        for (const mark of marks)
          assert.ok(wire.text.includes(mark), `“${mark.slice(0, 40)}” of the parameters of ${name} did not reach the wire`)
      }
    },
  )
}

/** What is on the wire between the texts of the message before and of the one after. */
function turnOf({ text }: WireText, messages: readonly MarkedMessage[], index: number): string {
  const last = messages[index - 1]?.texts.at(-1)
  const next = messages[index + 1]?.texts[0]
  const from = last === undefined ? 0 : text.indexOf(last) + last.length
  return text.slice(from, next === undefined ? undefined : text.indexOf(next, from))
}

/** Each id that a protocol has is in the turn of the calls, and with the results, in their order. */
function assertIds(wire: WireText, messages: readonly MarkedMessage[]): void {
  const ids = messages.flatMap(({ calls }) => calls)
  const kinds = (['call_id', 'provider_call_id'] as const).filter((kind) => ids.some((call) => wire.text.includes(String(call[kind]))))
  for (const kind of kinds) {
    const expected = messages
      .flatMap(({ calls, results }) => [...calls, ...results.map(({ call }) => call)])
      .map((call) => String(call[kind]))
    for (const id of expected) assert.ok(countIn(wire.text, id) > 1, `the id “${id}” is on the wire without its call or its result`)
    const pattern = new RegExp([...new Set(expected)].join('|'), 'g')
    const found = (wire.text.match(pattern) ?? []).filter((id, index, all) => id !== all[index - 1])
    assert.deepEqual(
      found,
      expected.filter((id, index, all) => id !== all[index - 1]),
      `the ids of calls and results (${kind}) on the wire`,
    )
  }
}

/** Four pictures, of which no data is in another's. */
const pictures = ['one', 'two', 'three', 'four'].map((mark) => Buffer.from(`the data of picture ${mark}, sent as it is`).toString('base64'))

const image = (data: string | undefined): ImagePart => ({ type: 'image', media_type: 'image/png', data: String(data) })

function describePictures({ testWire }: SuiteTopic): void {
  testWire(
    'text',
    'with images in several messages: each, once and in order, if the adapter declares images',
    async (adapter, upstream) => {
      if (!supportOf(adapter, upstream.protocol).images) return
      const messages: readonly ModelMessage[] = [
        { role: 'user', content: [image(pictures[0]), textOf('asked'), image(pictures[1]), image(pictures[2])] },
        { role: 'assistant', content: [textOf('told')] },
        { role: 'user', content: [textOf('askedagain'), image(pictures[3])] },
      ]
      const wire = await wireOf(adapter, upstream, { messages })
      for (const [index, picture] of pictures.entries()) assertOnce(wire, picture, picture, `the image ${index + 1}`)
      assertInOrder(wire, pictures, 'the images')
    },
  )

  testWire(
    'text',
    'with images in a tool result: on the wire, or refused before the call, if the adapter declares images and tools',
    async (adapter, upstream) => {
      const supports = supportOf(adapter, upstream.protocol)
      if (!supports.images || !supports.tools) return
      const messages = workingConversation().map(({ message }) => message)
      const first = messages.findIndex(({ role }) => role === 'tool')
      const shown = messages.map((message, index) => (index === first && message.role === 'tool' ? withPictures(message) : message))
      const body = await bodyOrRefusal(adapter, upstream, { messages: shown, tools: markedTools })
      if (body === undefined) return
      const wire = readWire(body)
      for (const [index, picture] of pictures.slice(0, 2).entries())
        assertOnce(wire, picture, picture, `the image ${index + 1} of a tool result`)
    },
  )

  testWire(
    'text',
    'with an image at an address: on the wire, or refused before the call, if the adapter declares images',
    async (adapter, upstream) => {
      if (!supportOf(adapter, upstream.protocol).images) return
      const url = 'https://pictures.example/beds/thyme.png'
      const content = [textOf('asked'), { type: 'image', media_type: 'image/png', url } as const]
      const body = await bodyOrRefusal(adapter, upstream, { messages: [{ role: 'user', content }] })
      if (body !== undefined) assertOnce(readWire(body), url, url, 'the address of the image')
    },
  )
}

/** The results with one picture each, after their texts. */
const withPictures = (message: Extract<ModelMessage, { role: 'tool' }>): ModelMessage => ({
  ...message,
  content: message.content.map((result, index) => ({ ...result, content: [...result.content, image(pictures[index])] })),
})

function describeDifferences({ testWire }: SuiteTopic): void {
  testWire('text', 'that differ in who said something: never the same on the wire', async (adapter, upstream) => {
    const roles = [
      ['user', 'user', 'user'],
      ['user', 'assistant', 'user'],
      ['system', 'user', 'user'],
    ] as const
    await assertUnlike(
      adapter,
      upstream,
      roles.map((each) => ({ messages: each.map((role, index): ModelMessage => ({ role, content: [textOf(`said${index}`)] })) })),
    )
  })

  testWire(
    'text',
    'that differ in which call a result answers: never the same on the wire, if the adapter declares tools',
    async (adapter, upstream) => {
      if (!supportOf(adapter, upstream.protocol).tools) return
      const [first = [], ...others] = markedCalls
      const swapped = first.map((one, index) => ({ ...one, result: first[(index + 1) % first.length]?.result ?? [] }))
      const requests = [first, swapped].map((calls) => ({
        messages: workingConversation([calls, ...others]).map(({ message }) => message),
        tools: markedTools,
      }))
      await assertUnlike(adapter, upstream, requests)
    },
  )
}

async function assertUnlike(
  adapter: ProviderAdapter,
  upstream: WatchedUpstream,
  requests: readonly Partial<ModelRequest>[],
): Promise<void> {
  const bodies: string[] = []
  for (const request of requests) bodies.push(await bodyOf(adapter, upstream, request))
  assert.equal(new Set(bodies).size, bodies.length, 'two conversations that mean different things look the same on the wire')
}

const wireOf = async (adapter: ProviderAdapter, upstream: WatchedUpstream, changes: Partial<ModelRequest>): Promise<WireText> =>
  readWire(await bodyOf(adapter, upstream, changes))
