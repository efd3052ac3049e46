import { expect } from 'chai'
import { retryAfterOf, searchResultsOf } from './index.js'
import { plainLine } from './plain-text.js'

describe('the kit of search providers', () => {
  it('makes plain text of markup, references and invisible characters', () => {
    const texts: readonly (readonly [string, string])[] = [
      ['a <strong>b</strong> &amp; c', 'a b & c'],
      ['&lt;script&gt; &#39;x&#x27; &quot;y&quot; &unknown; &#x110000;', '<script> \'x\' "y" &unknown; &#x110000;'],
      ['1 < 2 and 3 > 2', '1 < 2 and 3 > 2'],
      ['a<!-- hidden -->b\u200b\u{e0041}c\u202ed', 'abcd'],
      ['&#0;&#10;a\u2028b', 'a b'],
      ['\ud83c', '\ufffd'],
    ]
    for (const [written, plain] of texts) expect(plainLine(written, 100)).to.equal(plain)
  })

  it('cuts between characters, and is quick with hostile texts', () => {
    expect(plainLine(`abc${'🌦'.repeat(100)}`, 7)).to.equal('abc🌦…')
    for (const text of ['<', '<a', '<!--', '&', '<a <', '&#']) expect(plainLine(text.repeat(1_000_000), 2_000).length).to.be.at.most(2_000)
  })

  it('reads the times of publications in their usual forms', () => {
    const times: readonly (readonly [unknown, string | undefined])[] = [
      ['2026-01-31T10:00:00Z', '2026-01-31T10:00:00Z'],
      ['2026-01-31T10:00:00+02:00', '2026-01-31T10:00:00+02:00'],
      ['2026-01-31T10:00:00', '2026-01-31'],
      ['2026-01-31', '2026-01-31'],
      ['Sat, 31 Jan 2026 10:00:00 GMT', '2026-01-31'],
      ['2026-13-45', undefined],
      ['3 days ago', undefined],
      [20_260_131, undefined],
    ]
    for (const [publishedAt, read] of times) {
      const [result] = searchResultsOf([{ url: 'https://example.org/', title: 'A', publishedAt }], { limit: 1 })
      expect(result?.publishedAt, String(publishedAt)).to.equal(read)
    }
  })

  it('reads Retry-After within bounds', () => {
    expect(
      ['2', ' 1.5 ', '999999999', 'Sat, 31 Jan 2026 10:00:10 GMT'].map((value) => retryAfterOf(value, Date.UTC(2026, 0, 31, 10))),
    ).to.deep.equal([2_000, 1_500, 86_400_000, 10_000])
    for (const value of [undefined, '', 'soon', '-1', '1e99']) expect(retryAfterOf(value), String(value)).to.equal(undefined)
  })
})
