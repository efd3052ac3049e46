import { expect } from 'chai'
import { findLines, lineAt, textOf } from './lines.js'

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text)

describe('findLines', () => {
  for (const [text, first, last, expected, total] of [
    ['a\nb\nc', 1, 1, 'a\n', 3],
    ['a\nb\nc', 2, 3, 'b\nc', 3],
    ['a\nb\nc\n', 3, 9, 'c\n', 3],
    ['a\nb\nc\n', 4, 9, '', 3],
    ['a', 1, Number.POSITIVE_INFINITY, 'a', 1],
    ['\n\n', 2, 2, '\n', 2],
    ['', 1, 1, '', 0],
    ['ä\r\nö\r\n', 2, 2, 'ö\r\n', 2],
  ] as const)
    it(`gives lines ${first} to ${last} of ${JSON.stringify(text)}`, async () => {
      const bytes = bytesOf(text)
      const { start, end, total: lines } = await findLines(bytes, first, last)
      expect([textOf(bytes.subarray(start, end)), lines]).to.deep.equal([expected, total])
    })

  it('yields to other work in a long text', async () => {
    const bytes = new Uint8Array(8 * 1024 * 1024).fill(0x0a)
    let turns = 0
    const timer = setInterval(() => {
      turns += 1
    }, 0)
    expect((await findLines(bytes, 5, 5)).total).to.equal(bytes.byteLength)
    clearInterval(timer)
    expect(turns).to.be.greaterThan(2)
  })
})

describe('textOf', () => {
  it('takes UTF-8 without NUL, and keeps a byte order mark', () => {
    expect([textOf(bytesOf('\ufeffä')), textOf(Uint8Array.of(0x61, 0xff)), textOf(Uint8Array.of(0x61, 0))]).to.deep.equal([
      ...['\ufeffä', undefined, undefined],
    ])
  })
})

describe('lineAt', () => {
  it('counts from 1', () => {
    expect([lineAt('a\nb', 0), lineAt('a\nb', 1), lineAt('a\nb', 2)]).to.deep.equal([1, 1, 2])
  })
})
