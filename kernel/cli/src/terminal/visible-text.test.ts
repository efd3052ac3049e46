import { expect } from 'chai'
import { createVisibleStream, visibleJson, visibleLine, visibleText } from './visible-text.js'

/** Every UTF-16 code unit that a terminal could carry out, or that reorders text. */
const dangerous = Array.from({ length: 0x10000 }, (_, code) => String.fromCharCode(code)).filter(
  (character) => /^[\p{Cc}\p{Cs}\p{Bidi_Control}\u2028\u2029]$/u.test(character) && character !== '\n' && character !== '\t',
)

describe('text made visible', () => {
  it('has no control character, no bidirectional control and no half of a pair', () => {
    expect(dangerous.length).to.be.greaterThan(2_000)
    for (const character of dangerous) {
      const shown = visibleText(`a${character}b`)
      expect(shown, JSON.stringify(character)).not.to.include(character)
      expect(shown).to.match(/^a.+b$/u)
    }
  })

  it('shows what was there', () => {
    expect(visibleText('\u001b[2J \u0000 \u007f \u009b \u202e \ud800.')).to.equal('␛[2J ␀ ␡ <U+009B> <U+202E> <U+D800>.')
  })

  it('keeps line feeds, tabs and everything that people write', () => {
    const text = 'one\n\ttwo 日本 👩‍🚀 🏳️‍🌈 עברית العربية e\u0301\u200b'
    expect(visibleText(text)).to.equal(text)
    expect(visibleText('one\r\ntwo\rthree')).to.equal('one\ntwo␍three')
    expect(visibleLine('one\r\ntwo\tthree')).to.equal('one two three')
  })

  it('is the same wherever the text is cut into pieces', () => {
    const text = 'a\r\nb\rc🎉\ud83c \udf89\u001b[1m\r'
    for (let cut = 0; cut <= text.length; cut += 1) {
      for (let second = cut; second <= text.length; second += 1) {
        const stream = createVisibleStream()
        const pieces = [text.slice(0, cut), text.slice(cut, second), text.slice(second)].map((piece) => stream.take(piece))
        expect(pieces.join('') + stream.end()).to.equal(visibleText(text))
      }
    }
  })

  it('loses nothing in JSON', () => {
    const value = { text: dangerous.join('') }
    const json = visibleJson(value) ?? ''
    expect(visibleText(json)).to.equal(json)
    expect(JSON.parse(json)).to.deep.equal(value)
  })
})
