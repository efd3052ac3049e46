import { expect } from 'chai'
import fc from 'fast-check'
import { createPlainText, fromWholeCharacter, wholeBytes, withoutOverwritten } from './plain-text.js'

const bytesOf = (text: string) => new TextEncoder().encode(text)
const plainOf = (...pieces: readonly Uint8Array[]) => {
  const plain = createPlainText()
  return pieces.map((piece) => plain.take(piece)).join('') + plain.end()
}
const inPieces = (bytes: Uint8Array, size: number) =>
  Array.from({ length: Math.ceil(bytes.length / size) }, (_, index) => bytes.subarray(index * size, (index + 1) * size))

const dirty =
  '\u001b[1;31mred\u001b[0m \u001b]0;title\u0007plain\u001b]8;;http://x\u001b\\link\u001b(B \u001b[2K\u0000\u0008é😀\r\nnext\tcell\u009b\n'
const clean = 'red plainlink é😀\nnext\tcell\n'

describe('the text of a program', () => {
  it('has no escape sequences and control characters but line feeds, tabs and carriage returns', () => {
    expect(plainOf(bytesOf(dirty))).to.equal(clean)
    expect(plainOf(bytesOf('50%\r100%\n'))).to.equal('50%\r100%\n')
  })

  it('is the same however its bytes are divided', () => {
    const bytes = bytesOf(dirty)
    for (let size = 1; size <= bytes.length; size += 1) expect(plainOf(...inPieces(bytes, size)), `pieces of ${size}`).to.equal(clean)
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), fc.integer({ min: 1, max: 50 }), (random, size) => {
        expect(plainOf(...inPieces(random, size))).to.equal(plainOf(random))
      }),
    )
    const sequences = fc
      .array(fc.constantFrom(...'\u001b\u001b[]P\\0;m #(\u0007\r\né'), { maxLength: 30 })
      .map((parts) => bytesOf(parts.join('')))
    fc.assert(
      fc.property(sequences, fc.integer({ min: 1, max: 9 }), (random, size) => {
        expect(plainOf(...inPieces(random, size)))
          .to.equal(plainOf(random))
          .and.not.to.include('\u001b')
      }),
      { numRuns: 2_000 },
    )
  })

  it('replaces what is not UTF-8, and ends an unfinished sequence with the output', () => {
    expect(plainOf(new Uint8Array([0x61, 0xff, 0xc3, 0x28]))).to.equal('a\ufffd\ufffd(')
    expect(plainOf(bytesOf('end\u001b[3'))).to.equal('end[3')
    expect(plainOf(bytesOf(`\u001b]0;${'x'.repeat(10_000)}`))).to.include('xxx')
  })

  it('shows of a line that was written over what stands there at the end', () => {
    expect(withoutOverwritten('10%\r50%\r100%\ndone\r\n\rlast')).to.equal('100%\ndone\nlast')
    expect(withoutOverwritten('plain\n')).to.equal('plain\n')
  })

  it('is read in time that grows with its length alone', () => {
    const lines = [
      '\u001b'.repeat(200_000),
      '\u001b]'.repeat(100_000),
      '\u001b['.repeat(100_000),
      'x'.repeat(400_000),
      '\r'.repeat(400_000),
    ]
    for (const line of lines) {
      const began = process.cpuUsage()
      withoutOverwritten(plainOf(bytesOf(line)))
      expect(process.cpuUsage(began).user / 1_000, JSON.stringify(line.slice(0, 4))).to.be.below(2_000)
    }
  })
})

describe('the bytes that can be shown now', () => {
  it('end before a character or an escape sequence that has only begun', () => {
    for (const whole of ['a', 'é', '€', '😀', '\u001b[31m']) {
      const bytes = bytesOf(whole)
      expect(wholeBytes(bytes), whole).to.equal(bytes.length)
      for (let end = 1; end < bytes.length; end += 1) expect(wholeBytes(bytes.subarray(0, end)), `${whole} ${end}`).to.equal(0)
    }
    expect(wholeBytes(new Uint8Array([0x61, 0x80, 0x80, 0x80, 0x80]))).to.equal(5)
  })

  it('begin with a whole character', () => {
    expect([...fromWholeCharacter(bytesOf('😀a').subarray(2))]).to.deep.equal([0x61])
    expect(fromWholeCharacter(bytesOf('a'))).to.have.length(1)
  })
})
