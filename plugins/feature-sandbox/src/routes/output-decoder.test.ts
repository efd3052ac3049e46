import type { SandboxOutput } from '@agent-service/sdk/services/sandbox'
import { expect } from 'chai'
import { createOutputDecoder, type OutputText } from './output-decoder.js'

const text = 'grüße, 世界, 🦊!'

/** Cuts a text into pieces of so many bytes. */
function piecesOf(whole: string, size: number, stream: SandboxOutput['stream'] = 'stdout', from = 0): SandboxOutput[] {
  const bytes = Buffer.from(whole)
  return Array.from({ length: Math.ceil(bytes.length / size) }, (_, index) => ({
    ...{ stream, offset: from + index * size },
    bytes: bytes.subarray(index * size, (index + 1) * size),
  }))
}

const present = (texts: readonly (OutputText | undefined)[]): readonly OutputText[] => texts.filter((each) => each !== undefined)

describe('the decoder of output', () => {
  for (const size of [1, 2, 3, 4, 5, 7, 100]) {
    it(`gives whole characters for pieces of ${size} bytes, at positions that continue each other`, () => {
      const decoder = createOutputDecoder()
      const texts = present(piecesOf(text, size).map((piece) => decoder.take(piece)))
      expect(texts.map((each) => each.text).join('')).to.equal(text)
      expect(texts.map(({ from }) => from)).to.deep.equal([0, ...texts.slice(0, -1).map(({ next }) => next)])
      expect(texts.at(-1)?.next).to.equal(Buffer.byteLength(text))
      expect(decoder.rest()).to.deep.equal([])
    })
  }

  it('keeps the streams apart', () => {
    const decoder = createOutputDecoder()
    const fox = Buffer.from('🦊')
    const texts = present([
      decoder.take({ stream: 'stdout', offset: 0, bytes: fox.subarray(0, 2) }),
      decoder.take({ stream: 'stderr', offset: 2, bytes: Buffer.from('!') }),
      decoder.take({ stream: 'stdout', offset: 3, bytes: fox.subarray(2) }),
    ])
    expect(texts.map((each) => [each.stream, each.text])).to.deep.equal([
      ['stderr', '!'],
      ['stdout', '🦊'],
    ])
  })

  it('shows what is no UTF-8, what never ends, and what a gap cut, as U+FFFD or not at all', () => {
    const decoder = createOutputDecoder()
    expect(decoder.take({ stream: 'stdout', offset: 0, bytes: Uint8Array.of(0x61, 0xff, 0x62) })?.text).to.equal('a\ufffdb')
    expect(decoder.take({ stream: 'stdout', offset: 3, bytes: Uint8Array.of(0xe4, 0xb8) })).to.equal(undefined)
    expect(decoder.rest()).to.deep.equal([{ stream: 'stdout', from: 3, next: 5, text: '\ufffd' }])
    expect(decoder.take({ stream: 'stdout', offset: 5, bytes: Uint8Array.of(0x63, 0xe4) })?.text).to.equal('c')
    expect(decoder.take({ stream: 'stdout', offset: 90, bytes: Uint8Array.of(0x64) })).to.deep.equal({
      stream: 'stdout',
      from: 90,
      next: 91,
      text: 'd',
    })
    expect(decoder.rest()).to.deep.equal([])
  })
})
