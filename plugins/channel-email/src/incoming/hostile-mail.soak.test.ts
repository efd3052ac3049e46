import { expect } from 'chai'
import { htmlText } from './html-text.js'
import { readHead } from './mail.js'
import { withoutQuotedHistory } from './quoted-history.js'

const read = (text: string) => readHead(Buffer.from(text.replace(/\n/g, '\r\n')))

describe('reading a hostile mail', () => {
  it('ends, of HTML, where elements are nested deeper than any person writes', async () => {
    for (const piece of ['<div>x', '<a href=http://x.example>y', '<pre>\n']) {
      const begin = performance.now()
      await htmlText(piece.repeat(1_000_000 / piece.length))
      expect(performance.now() - begin).to.be.below(5_000)
    }
  })

  it('ends, of a head, whatever is in it', async () => {
    const begin = performance.now()
    for (const text of ['From: a,', 'From: g:', 'Subject: =?utf-8?Q?a?= ', 'A: b\n', 'A:\n b', 'Content-Type: a/b; c=d; ', '\u0000'])
      await read(text.repeat(65_536 / text.length))
    for (const [name, piece] of [
      ['From', 'a,'],
      ['From', '('],
      ['Subject', '=?iso-2022-jp?B?YWE=?= '],
      ['References', '<a@b> '],
    ] as const)
      await read(`${name}: ${piece.repeat(60_000 / piece.length)}\n\n`)
    expect(performance.now() - begin).to.be.below(3_000)
  })

  it('ends, of quotations, whatever stands before them', () => {
    const begin = performance.now()
    for (const piece of ['> ', 'On wrote ', '\n', '> \n', 'From: a\nTo: b\n', ' '.repeat(50), '_'.repeat(21)])
      withoutQuotedHistory(piece.repeat(262_144 / piece.length))
    expect(performance.now() - begin).to.be.below(5_000)
  })
})
