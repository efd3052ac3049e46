import { expect } from 'chai'
import fc from 'fast-check'
import { createBoundedQueue, type TimeSource, timeLimitError } from '../async/index.js'
import { defineError } from '../core/errors.js'
import type { JsonValue } from '../core/json.js'
import {
  type ByteChannel,
  createMessageChannel,
  createRequestPeer,
  type Framing,
  lengthFraming,
  lineFraming,
  messageInvalidError,
  messageTooLargeError,
  peerBusyError,
  processGoneError,
  type RequestPeer,
  type RequestPeerOptions,
  remoteError,
  startChild,
} from './index.js'

const failureOf = (promise: Promise<unknown>): Promise<Error> =>
  promise.then(
    () => expect.fail('Expected an error.'),
    (error: Error) => error,
  )
const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text)
async function* piecesOf(bytes: Uint8Array, sizes: readonly number[]): AsyncGenerator<Uint8Array> {
  let at = 0
  for (let turn = 0; at < bytes.length; turn += 1) {
    const size = sizes[turn % sizes.length] ?? 1
    yield bytes.subarray(at, at + size)
    at += size
  }
}
async function all<T>(source: AsyncIterable<T>): Promise<T[]> {
  const items: T[] = []
  for await (const item of source) items.push(item)
  return items
}

describe('framing', () => {
  const kinds: readonly (readonly [string, (maxMessageBytes: number) => Framing])[] = [
    ['lines', (maxMessageBytes) => lineFraming({ maxMessageBytes })],
    ['lengths', (maxMessageBytes) => lengthFraming({ maxMessageBytes })],
  ]
  for (const [name, make] of kinds) {
    it(`by ${name} gives the messages back, however they are cut`, async () => {
      const message = fc.string({ minLength: 1, unit: 'grapheme' }).filter((text) => !/[\n\r]/.test(text))
      await fc.assert(
        fc.asyncProperty(fc.array(message), fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1 }), async (messages, sizes) => {
          const framing = make(10_000)
          const stream = Buffer.concat(messages.map((text) => framing.encode(bytesOf(text))))
          const decoded = await all(framing.decode(piecesOf(stream, sizes)))
          expect(decoded.map((bytes) => new TextDecoder().decode(bytes))).to.deep.equal(messages)
        }),
        { numRuns: 60 },
      )
    })

    it(`by ${name} refuses what is too large in both directions, and what is cut`, async () => {
      const framing = make(10)
      expect(() => framing.encode(new Uint8Array(11))).to.throw('larger than 10 bytes')
      const large = make(100).encode(bytesOf('x'.repeat(11)))
      expect(messageTooLargeError.isInstance(await failureOf(all(framing.decode(piecesOf(large, [3])))))).to.equal(true)
      const whole = framing.encode(bytesOf('x'.repeat(10)))
      expect(await all(framing.decode(piecesOf(whole, [3])))).to.have.length(1)
      const cut = await failureOf(all(framing.decode(piecesOf(whole.subarray(0, whole.length - 1), [3]))))
      expect(messageInvalidError.isInstance(cut)).to.equal(true)
    })
  }

  it('by lines ends a line without an end before it is all held, drops carriage returns, and passes over empty lines', async () => {
    const framing = lineFraming({ maxMessageBytes: 10 })
    let given = 0
    async function* endless(): AsyncGenerator<Uint8Array> {
      for (;;) {
        given += 1
        yield bytesOf('xxxx')
      }
    }
    expect(messageTooLargeError.isInstance(await failureOf(all(framing.decode(endless()))))).to.equal(true)
    expect(given).to.equal(3)
    const lines = await all(framing.decode(piecesOf(bytesOf('\n{}\r\n\n[]\n'), [2])))
    expect(lines.map((line) => new TextDecoder().decode(line))).to.deep.equal(['{}', '[]'])
    expect(() => framing.encode(bytesOf('a\nb'))).to.throw('line break')
  })
})

/** Two ends of a wire. */
function wire(): readonly [ByteChannel, ByteChannel, { close(): void; sent: string[] }] {
  const [there, back] = [createBoundedQueue<Uint8Array>({ maxItems: 64 }), createBoundedQueue<Uint8Array>({ maxItems: 64 })]
  const sent: string[] = []
  const end = (own: AsyncIterable<Uint8Array>, other: typeof there): ByteChannel => ({
    output: own,
    write: (bytes) => {
      sent.push(new TextDecoder().decode(bytes))
      return other.push(bytes)
    },
  })
  const close = (): void => {
    there.close()
    back.close()
  }
  return [end(back, there), end(there, back), { close, sent }]
}

function peers(
  one: RequestPeerOptions,
  other: RequestPeerOptions,
): { one: RequestPeer; other: RequestPeer; close(): void; sent: string[] } {
  const [left, right, ends] = wire()
  return { one: createRequestPeer(createMessageChannel(left), one), other: createRequestPeer(createMessageChannel(right), other), ...ends }
}

describe('a peer', () => {
  const refusedError = defineError<{ readonly what: string }>({
    code: 'refused',
    status: 409,
    title: 'Refused',
    message: ({ what }) => `“${what}” is refused.`,
  })

  it('asks and answers in both directions, each answer to its request', async () => {
    const notes: unknown[] = []
    const { one, other } = peers(
      { onRequest: async () => 'one' },
      {
        async onRequest(method, params) {
          if (method === 'slow') await new Promise((resolve) => setTimeout(resolve, 20))
          return [method, params ?? null]
        },
        onNotification: (method, params) => notes.push([method, params]),
      },
    )
    const slow = one.request('slow', { n: 1 })
    expect(await one.request('fast')).to.deep.equal(['fast', null])
    expect(one.pending).to.equal(1)
    expect(await slow).to.deep.equal(['slow', { n: 1 }])
    expect(await other.request('who')).to.equal('one')
    await one.notify('hello', { a: 1 })
    await one.request('fast')
    expect(notes).to.deep.equal([['hello', { a: 1 }]])
  })

  it('passes on error messages, but no internal details', async () => {
    const { one } = peers(
      {},
      {
        async onRequest(method) {
          if (method === 'refused') throw refusedError.create({ what: 'x' })
          throw new Error('a secret detail')
        },
      },
    )
    const refused = await failureOf(one.request('refused'))
    expect(remoteError.isInstance(refused)).to.equal(true)
    expect(refused.message).to.contain('“x” is refused.')
    expect((await failureOf(one.request('broken'))).message)
      .to.contain('-32603')
      .and.not.contain('secret')
    const { other } = peers({}, {})
    expect((await failureOf(other.request('anything'))).message).to.contain('-32601')
  })

  it('ends a wait by its limit or its signal, withdraws the request, and passes over a late answer', async () => {
    const timers = new Set<() => void>()
    const clock: TimeSource = {
      after(_, callback) {
        timers.add(callback)
        return () => void timers.delete(callback)
      },
    }
    const withdrawn: JsonValue[] = []
    const answers: (() => void)[] = []
    const { one, other } = peers(
      { clock, cancellation: (requestId, reason) => ({ method: 'cancelled', params: { requestId, reason } }) },
      {
        onRequest: () => new Promise((resolve) => answers.push(() => resolve('late'))),
        onNotification: (_, params) => withdrawn.push(params ?? null),
      },
    )
    const late = failureOf(one.request('a'))
    for (const fire of [...timers]) fire()
    expect(timeLimitError.isInstance(await late)).to.equal(true)
    const controller = new AbortController()
    const left = failureOf(one.request('b', {}, { signal: controller.signal }))
    const reason = new Error('left')
    controller.abort(reason)
    expect(await left).to.equal(reason)
    while (answers.length < 2 || withdrawn.length < 2) await new Promise(setImmediate)
    expect(withdrawn).to.deep.equal([
      { requestId: 1, reason: 'It took too long.' },
      { requestId: 2, reason: 'It is not wanted any more.' },
    ])
    for (const answer of answers) answer()
    expect(timers.size + one.pending).to.equal(0)
    expect(other.pending).to.equal(0)
  })

  it('bounds pending and served requests', async () => {
    const { one, close } = peers({ maxPending: 2 }, { maxServed: 1, onRequest: () => new Promise(() => undefined) })
    const waiting = failureOf(one.request('a'))
    const refused = failureOf(one.request('b'))
    expect(peerBusyError.isInstance(await failureOf(one.request('c')))).to.equal(true)
    expect((await refused).message).to.contain('-32000')
    close()
    expect(processGoneError.isInstance(await waiting)).to.equal(true)
  })

  it('fails pending and later requests when the other side ends', async () => {
    const { one, close } = peers({ what: 'The server' }, { onRequest: () => new Promise(() => undefined) })
    const waiting = failureOf(one.request('a'))
    while (one.pending === 0) await new Promise(setImmediate)
    close()
    expect(processGoneError.isInstance(await waiting)).to.equal(true)
    expect((await one.ended).message).to.equal('The server has ended: it has closed its output.')
    expect(processGoneError.isInstance(await failureOf(one.request('b')))).to.equal(true)
  })

  for (const [what, line] of [
    ['no JSON', 'Listening on port 3000\n'],
    ['no object', '7\n'],
    ['no UTF-8', Buffer.from([0x22, 0xff, 0x22, 0x0a])],
  ] as const) {
    it(`ends with what is ${what}`, async () => {
      const bytes = typeof line === 'string' ? bytesOf(line) : line
      const channel = createMessageChannel({ output: piecesOf(bytes, [5]), write: async () => undefined })
      const peer = createRequestPeer(channel)
      expect((await peer.ended).cause).to.satisfy(messageInvalidError.isInstance)
    })
  }

  it('speaks with a real child, whose end fails what waits', async () => {
    const code = `
      require("node:readline").createInterface({ input: process.stdin }).on("line", (line) => {
        const { id, method, params } = JSON.parse(line)
        if (method === "die") process.exit(4)
        console.log(JSON.stringify({ jsonrpc: "2.0", id, result: { method, params } }))
      })`
    const child = await startChild({ command: process.execPath, args: ['-e', code], graceMs: 200 })
    const peer = createRequestPeer(createMessageChannel(child), { what: 'The child' })
    const answers = await Promise.all(Array.from({ length: 50 }, (_, n) => peer.request('echo', { n, text: 'x'.repeat(5_000) })))
    expect(answers.map((answer) => (answer as { params: { n: number } }).params.n)).to.deep.equal(Array.from({ length: 50 }, (_, n) => n))
    expect(processGoneError.isInstance(await failureOf(peer.request('die')))).to.equal(true)
    expect((await child.exit).code).to.equal(4)
  })
})
