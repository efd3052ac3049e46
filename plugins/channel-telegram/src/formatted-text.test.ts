import { expect } from 'chai'
import { formattedText } from './formatted-text.js'

/** What each format covers. */
const formatsOf = (markdown: string): readonly string[] => {
  const { text, entities } = formattedText(markdown)
  return entities.map(
    ({ type, offset, length, url }) => `${type}${url === undefined ? '' : ` ${url}`}: ${text.slice(offset, offset + length)}`,
  )
}

describe('a text with formats', () => {
  it('has marks as formats', () => {
    const markdown = '# Title\n\nSome **bold _both_** ~~gone~~ `a*b`, [words](https://example.org/a).\n\n> said\n\n```js\nlet a\n```\n'
    expect(formattedText(markdown).text).to.equal('Title\n\nSome bold both gone a*b, words.\n\nsaid\n\nlet a')
    expect(formatsOf(markdown)).to.deep.equal([
      ...['bold: Title', 'bold: bold both', 'italic: both', 'strikethrough: gone', 'code: a*b'],
      ...['text_link https://example.org/a: words', 'blockquote: said', 'pre: let a'],
    ])
  })

  it('has lists with their marks', () => {
    expect(formattedText('- one\n- two\n  1. inner\n\n- [x] done').text).to.equal('• one\n• two\n  1. inner\n• [x] done')
  })

  it('has no other format where it has code', () => {
    expect(formatsOf('**a `b` c**')).to.deep.equal(['bold: a ', 'code: b', 'bold:  c'])
  })

  it('mentions no one, and leaves addresses of mail and code as they are', () => {
    expect(formattedText('@ann, *@all* and ann@example.org: `@ann`').text).to.equal('＠ann, ＠all and ann@example.org: @ann')
    expect(formatsOf('[you](tg://user?id=7) [run](javascript:alert)')).to.deep.equal([])
    expect(formattedText('[you](tg://user?id=7)').text).to.equal('you (tg://user?id=7)')
  })

  it('shows HTML as it was written, and what would be empty', () => {
    expect(formattedText('<b>a</b> &lt;b&gt; <a href="tg://user?id=7">x</a>').text).to.equal('<b>a</b> <b> <a href="tg://user?id=7">x</a>')
    expect(formattedText('[a]: https://example.org').text).to.equal('[a]: https://example.org')
  })

  it('shows a text of too many marks as it was written', () => {
    expect(formattedText('*a_'.repeat(1_000)).text).to.equal('*a_'.repeat(1_000))
    expect(formatsOf('*a* '.repeat(301))).to.deep.equal([])
    expect(formatsOf('*a* '.repeat(50)).length).to.equal(50)
  })

  it('has at most 100 formats, all within the text, also for hostile texts', () => {
    for (const markdown of [
      '`a` '.repeat(1_000),
      '> '.repeat(2_000),
      '- '.repeat(2_000),
      '**'.repeat(2_000),
      '[a]('.repeat(1_000),
      '*a_'.repeat(1_300),
    ]) {
      const { text, entities } = formattedText(markdown)
      expect(entities.length).to.be.at.most(100)
      expect(text.length).to.be.within(1, 4_096)
      for (const { offset, length } of entities) expect(offset + length).to.be.at.most(text.length)
    }
  })
})
