import { expect } from 'chai'
import { wellFormed } from '../common/well-formed.js'
import { snippetOf } from './snippet.js'

/** A mark of the word at its first place in the text. */
const markOf = (text: string, word: string) => ({ start: text.indexOf(word), end: text.indexOf(word) + word.length })

describe('a snippet', () => {
  it('begins after the next space, 60 characters before the first word found', () => {
    const text = `${'word '.repeat(40)}found here`
    const { text: piece, marks } = snippetOf(text, [markOf(text, 'found')])
    expect(piece).to.equal(`${'word '.repeat(11)}found here`)
    expect(marks.map(({ start, end }) => piece.slice(start, end))).to.deep.equal(['found'])
  })

  it('begins exactly there in a text without spaces', () => {
    const text = `${'字'.repeat(200)}found`
    const { text: piece, marks } = snippetOf(text, [markOf(text, 'found')])
    expect(piece).to.equal(`${'字'.repeat(60)}found`)
    expect(marks).to.deep.equal([{ start: 60, end: 65 }])
  })

  it('never begins or ends in the middle of a character', () => {
    for (const shift of ['', 'x']) {
      const text = `${shift}${'😀'.repeat(100)}found${'😀'.repeat(200)}`
      const { text: piece, marks } = snippetOf(text, [markOf(text, 'found')])
      expect(piece).to.equal(wellFormed(piece))
      expect(marks.map(({ start, end }) => piece.slice(start, end))).to.deep.equal(['found'])
    }
  })

  it('has at most 240 characters, and no marks behind its end', () => {
    const text = `one ${'.'.repeat(300)} two`
    const { text: piece, marks } = snippetOf(text, [markOf(text, 'one'), markOf(text, 'two')])
    expect(piece).to.have.length(240)
    expect(marks).to.deep.equal([{ start: 0, end: 3 }])
  })
})
