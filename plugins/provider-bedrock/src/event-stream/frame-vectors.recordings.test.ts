import { expect } from 'chai'
import { openVectors } from '../test-support/recordings.js'
import { readFrame } from './frame.js'
import type { FrameHeaderValue } from './frame-headers.js'
import { createFrameStreamReader } from './frame-stream-reader.js'

interface DecodedVector {
  readonly headers: readonly { readonly name: string; readonly type: number; readonly value: unknown }[]
  readonly payload: string
}

const vectors = openVectors(process.env['FIXTURES_DIR'], 'eventstream-vectors')
const namesOf = (kind: string): readonly string[] => vectors.list('encoded', kind)

/** A value as the vectors write it: text, bytes and ids in base64. */
function asVector(header: FrameHeaderValue): unknown {
  switch (header.type) {
    case 'string':
      return Buffer.from(header.value).toString('base64')
    case 'bytes':
      return Buffer.from(header.value).toString('base64')
    case 'uuid':
      return Buffer.from(header.value.replaceAll('-', ''), 'hex').toString('base64')
    case 'long':
    case 'timestamp':
      return Number(header.value)
    default:
      return header.value
  }
}

describe('recorded frames', () => {
  it('exist, valid and damaged ones', () => {
    expect(namesOf('positive').length).to.be.greaterThan(2)
    expect(namesOf('negative').length).to.be.greaterThan(1)
  })

  for (const name of namesOf('positive')) {
    it(`${name} has its original headers and payload`, () => {
      const expected = JSON.parse(vectors.read('decoded', 'positive', name).toString()) as DecodedVector
      const frame = readFrame(vectors.read('encoded', 'positive', name))
      expect([...frame.headers].map(([header, value]) => ({ name: header, value: asVector(value) }))).to.deep.equal(
        expected.headers.map(({ name: header, value }) => ({ name: header, value })),
      )
      expect(Buffer.from(frame.payload).toString('base64')).to.equal(expected.payload)
    })
  }

  for (const name of namesOf('negative')) {
    it(`${name} is refused, by the frame and by the stream, in one piece or byte by byte`, () => {
      const bytes = vectors.read('encoded', 'negative', name)
      const words = /prelude/i.test(vectors.read('decoded', 'negative', name).toString()) ? 'prelude' : 'message'
      expect(() => readFrame(bytes)).to.throw(RangeError, `the checksum of ${words === 'prelude' ? 'its prelude' : 'the message'} is wrong`)
      expect(() => createFrameStreamReader().feed(bytes)).to.throw('A frame of the stream is damaged')
      const reader = createFrameStreamReader()
      expect(() => {
        for (const byte of bytes) reader.feed(Uint8Array.of(byte))
      }).to.throw('A frame of the stream is damaged')
      expect(() => reader.end()).to.throw('A frame of the stream is damaged')
    })
  }
})
