import { expect } from 'chai'
import { wellFormed } from '../common/well-formed.js'
import { findWords, queryWords } from './marks.js'
import { snippetOf } from './snippet.js'

const found = (text: string, query: string): readonly string[] =>
  findWords(text, queryWords(query)).marks.map(({ start, end }) => text.slice(start, end))

describe('the words that a search marks', () => {
  it('are found at their own places, ignoring case, accents and widths', () => {
    expect(found('Ein schöner, SCHÖNER Tag. Und noch ein schoner Ｔａｇ!', 'schöner tag')).to.deep.equal([
      ...['schöner', 'SCHÖNER', 'Tag', 'schoner', 'Ｔａｇ'],
    ])
    expect(found('Die Strasse, die Straße, e\u0301te\u0301', 'straße été')).to.deep.equal(['Strasse', 'Straße', 'e\u0301te\u0301'])
  })

  it('are whole words, except the last one that a person typed', () => {
    expect(found('sun sunday sunny day days', 'sun day')).to.deep.equal(['sun', 'day', 'days'])
    expect(found('sun sunday', '"sun"')).to.deep.equal(['sun'])
    expect(found('ann@example.com and ann', 'ann@example.com')).to.deep.equal(['ann', 'example', 'com', 'ann'])
    expect(found('anything', '  “”  … ')).to.deep.equal([])
  })

  it('are single characters in scripts without spaces', () => {
    expect(found('私は東京に行く', '東京')).to.deep.equal(['東', '京'])
    expect(found('a 😀 b', '😀')).to.deep.equal(['😀'])
  })

  it('are all there or not', () => {
    expect(findWords('one two', queryWords('two one')).all).to.equal(true)
    expect(findWords('one two', queryWords('two three')).all).to.equal(false)
  })
})

describe('a snippet', () => {
  it('has the words around the first mark, at the stated offsets, on one line', () => {
    const text = `${'filler word '.repeat(40)}😀 the\nneedle and more ${'filler word '.repeat(40)} needle`
    const { text: shown, marks } = snippetOf(text, findWords(text, queryWords('needle')).marks)
    expect(marks.map(({ start, end }) => shown.slice(start, end))).to.deep.equal(['needle'])
    expect(shown.length).to.be.at.most(240)
    expect(shown).to.match(/the needle and more/)
    expect(wellFormed(shown)).to.equal(shown)
  })

  it('never cuts a character in two', () => {
    for (let filler = 50; filler < 70; filler += 1) {
      const text = `${'a'.repeat(filler % 2)}${'😀'.repeat(filler)} needle ${'😀'.repeat(300)}`
      const { text: shown, marks } = snippetOf(text, findWords(text, queryWords('needle')).marks)
      expect(wellFormed(shown)).to.equal(shown)
      expect(marks.map(({ start, end }) => shown.slice(start, end))).to.deep.equal(['needle'])
    }
  })

  it('is the beginning of the text without marks', () => {
    expect(snippetOf('Hello', [])).to.deep.equal({ text: 'Hello', marks: [] })
  })
})
