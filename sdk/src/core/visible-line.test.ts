import { expect } from 'chai'
import { visibleLine } from './visible-line.js'

describe('a command as one visible line', () => {
  it('has every line of it, in order', () => {
    expect(visibleLine('one\r\ntwo\n\tthree')).to.equal('one ⏎ two ⏎  three')
    expect(visibleLine('naïve 日本 👍🏽 “x”')).to.equal('naïve 日本 👍🏽 “x”')
  })

  it('shows by its number what a screen carries out, reorders or hides', () => {
    const hidden = [
      ...['\u0000', '\u0007', '\r', '\u001b', '\u007f', '\u009b', '\u00ad', '\u034f', '\u061c', '\u115f', '\u180e', '\u200b'],
      ...['\u202e', '\u2028', '\u2066', '\u2800', '\u3164', '\ufe0f', '\ufeff', '\uffa0', '\ufff9', '\ud83d', '\udc4d'],
      ...['\u{e0041}', '\u{e0100}', '\u{1d173}'],
    ]
    for (const character of hidden) {
      const number = (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')
      expect(visibleLine(`a${character}b`)).to.equal(`a<U+${number}>b`)
    }
  })
})
