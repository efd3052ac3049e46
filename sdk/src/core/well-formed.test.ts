import { expect } from 'chai'
import { findIllFormed, isWellFormed, wellFormed, wellFormedValue } from './well-formed.js'

describe('well-formed texts', () => {
  it('have no half of a character', () => {
    expect(['', 'a', '😀', 'a😀b'].map(isWellFormed)).to.deep.equal([true, true, true, true])
    expect(['\ud83d', '\ude00', 'a\ud83db', '\ude00\ud83d'].map(isWellFormed)).to.deep.equal([false, false, false, false])
    expect(wellFormed('a\ud83db\ude00😀')).to.equal('a\ufffdb\ufffd😀')
  })

  it('are made of all texts and names of a value, which is copied only where it changes', () => {
    const good = { a: ['x', { b: '😀' }], n: null, d: new Date(0) }
    expect(wellFormedValue(good)).to.equal(good)
    const value = { keep: good, list: ['x', '\ud83d'], ['\ude00']: 1 }
    const repaired = wellFormedValue(value)
    expect(repaired).to.deep.equal({ keep: good, list: ['x', '\ufffd'], '\ufffd': 1 })
    expect(repaired.keep).to.equal(good)
    expect(value.list[1]).to.equal('\ud83d')
  })

  it('are found by the paths of those that are not', () => {
    expect(findIllFormed({ a: 'x', 'b/c': ['y', '\ud83d'], d: { ['\ude00']: 1 } })).to.deep.equal(['/b~1c/1', '/d'])
    expect(findIllFormed(['\ud83d', '\ud83d', '\ud83d'], 2)).to.deep.equal(['/0', '/1'])
    expect(findIllFormed({ a: ['😀'] })).to.deep.equal([])
  })
})
