import { expect } from 'chai'
import { cutText, storableObject, wellFormed, wholeLength } from './well-formed.js'

describe('texts that a store can hold', () => {
  it('replaces lone surrogates and keeps the length', () => {
    expect(wellFormed('a\ud83db')).to.equal('a\ufffdb')
    expect(wellFormed('\ude00a')).to.equal('\ufffda')
    expect(wellFormed('\ud83d\ud83d\ude00\ude00')).to.equal('\ufffd\ud83d\ude00\ufffd')
    expect(wellFormed('plain 😀')).to.equal('plain 😀')
  })

  it('never cuts through a pair', () => {
    expect(cutText('a😀b', 2)).to.equal('a')
    expect(cutText('a😀b', 3)).to.equal('a😀')
    expect(wholeLength('a\ud83d')).to.equal(1)
    expect(wholeLength('')).to.equal(0)
  })

  it('repairs every text of an object and refuses what no store accepts', () => {
    expect(storableObject({ 'k\ud83d': ['\ude00', { deep: 'ok' }], n: 1, nothing: null })).to.deep.equal({
      'k\ufffd': ['\ufffd', { deep: 'ok' }],
      n: 1,
      nothing: null,
    })
    expect(storableObject(JSON.parse('{"__proto__":{"x":1}}'))).to.equal(undefined)
    expect(storableObject(JSON.parse(`${'{"a":'.repeat(65)}1${'}'.repeat(65)}`))).to.equal(undefined)
  })
})
