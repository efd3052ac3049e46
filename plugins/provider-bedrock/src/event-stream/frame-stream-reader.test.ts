import { crc32 } from 'node:zlib'
import { expect } from 'chai'
import { encodeFrame, eventFrame, exceptionFrame } from '../test-support/encode-frame.js'
import { frameSizeLimit } from './frame.js'
import { createFrameStreamReader } from './frame-stream-reader.js'

const text = (words: string): Buffer => eventFrame('contentBlockDelta', { contentBlockIndex: 0, delta: { text: words } })
const prelude = (total: number, headers: number): Buffer => {
  const bytes = Buffer.alloc(12)
  bytes.writeUInt32BE(total, 0)
  bytes.writeUInt32BE(headers, 4)
  bytes.writeUInt32BE(crc32(bytes.subarray(0, 8)), 8)
  return bytes
}

describe('a stream of frames', () => {
  it('gives the documents that the bytes complete, wherever they are cut', () => {
    const stream = Buffer.concat([text('Grüße'), text('👋'), eventFrame('messageStop', { stopReason: 'end_turn' })])
    for (const size of [1, 2, 11, 12, 13, 50, stream.length]) {
      const reader = createFrameStreamReader()
      const documents = Array.from({ length: Math.ceil(stream.length / size) }, (_, index) =>
        reader.feed(stream.subarray(index * size, (index + 1) * size)),
      ).flat()
      expect(documents, `in pieces of ${size}`).to.deep.equal([
        { event: 'contentBlockDelta', data: { contentBlockIndex: 0, delta: { text: 'Grüße' } } },
        { event: 'contentBlockDelta', data: { contentBlockIndex: 0, delta: { text: '👋' } } },
        { event: 'messageStop', data: { stopReason: 'end_turn' } },
      ])
      expect(reader.end()).to.deep.equal([])
    }
  })

  it('accepts an empty piece, and returns no document for a cut frame', () => {
    const reader = createFrameStreamReader()
    expect(reader.feed(new Uint8Array())).to.deep.equal([])
    expect(reader.feed(text('Hello').subarray(0, 40))).to.deep.equal([])
    expect(reader.end()).to.deep.equal([])
  })

  it('gives exceptions and errors as events of their own', () => {
    const reader = createFrameStreamReader()
    const error = encodeFrame({ ':message-type': 'error', ':error-code': 'InternalError', ':error-message': 'It broke' }, '')
    const plain = encodeFrame({ ':message-type': 'exception', ':exception-type': 'throttlingException' }, 'Slow down')
    expect(reader.feed(Buffer.concat([exceptionFrame('validationException', { message: 'No' }), plain, error]))).to.deep.equal([
      { event: 'exception', data: { message: 'No', type: 'validationException' } },
      { event: 'exception', data: { message: 'Slow down', type: 'throttlingException' } },
      { event: 'error', data: { code: 'InternalError', message: 'It broke' } },
    ])
  })

  it('gives what came before a damaged frame, then fails, and stays failed', () => {
    const damaged = Buffer.from(text('world'))
    damaged[40] = (damaged[40] ?? 0) ^ 1
    const reader = createFrameStreamReader()
    expect(reader.feed(Buffer.concat([text('Hello'), damaged, text('!')]))).to.have.length(1)
    expect(() => reader.feed(text('more'))).to.throw('A frame of the stream is damaged: the checksum of the message is wrong.')
    expect(() => reader.end()).to.throw('damaged')
  })

  it('refuses every single flipped bit of a frame', () => {
    const whole = text('Hello')
    for (let bit = 0; bit < whole.length * 8; bit += 1) {
      const flipped = Buffer.from(whole)
      flipped[bit >> 3] = (flipped[bit >> 3] ?? 0) ^ (1 << (bit & 7))
      expect(() => createFrameStreamReader().feed(flipped), `bit ${bit}`).to.throw('damaged')
    }
  })

  it('refuses a frame of more than 16 MiB at its prelude, and impossible lengths', () => {
    expect(() => createFrameStreamReader().feed(prelude(frameSizeLimit + 1, 0))).to.throw('more than 16777216')
    expect(createFrameStreamReader().feed(prelude(frameSizeLimit, 0))).to.deep.equal([])
    for (const [total, headers] of [
      [15, 0],
      [20, 5],
      [16, 4_000_000],
    ] as const)
      expect(() => createFrameStreamReader().feed(prelude(total, headers))).to.throw('its lengths contradict each other')
  })

  it('refuses headers that end in the middle, an unknown header type and a payload that is not JSON', () => {
    const framed = (headers: Buffer, payload: string): Buffer => {
      const message = Buffer.concat([prelude(headers.length + payload.length + 16, headers.length), headers, Buffer.from(payload)])
      const checksum = Buffer.alloc(4)
      checksum.writeUInt32BE(crc32(message))
      return Buffer.concat([message, checksum])
    }
    const reading = (frame: Buffer) => () => createFrameStreamReader().feed(frame)
    expect(reading(framed(Buffer.from([1, 97, 7, 0, 9, 98]), '{}'))).to.throw('the headers end in the middle of one')
    expect(reading(framed(Buffer.from([1, 97, 10]), '{}'))).to.throw('a header has the unknown type 10')
    expect(reading(framed(Buffer.alloc(0), '<html>'))).to.throw('A frame of the stream is not a JSON object; it begins with “<html>”')
    expect(createFrameStreamReader().feed(framed(Buffer.alloc(0), ''))).to.deep.equal([{ data: {} }])
  })
})
