import { expect } from 'chai'
import fc from 'fast-check'
import { applyEdit } from './apply-edit.js'

const edit = (text: string, before: string, after: string, all = false) => applyEdit(text, { before, after, all })

describe('applyEdit', () => {
  it('replaces a text that occurs once, and every occurrence with all', () => {
    expect(edit('a b c', 'b', 'x')).to.deep.equal({ kind: 'edited', text: 'a x c', places: [2] })
    expect(edit('a b b', 'b', 'x')).to.deep.equal({ kind: 'ambiguous', places: [2, 4] })
    expect(edit('a b b', 'b', 'x', true)).to.deep.equal({ kind: 'edited', text: 'a x x', places: [2, 4] })
    expect(edit('a b c', 'b ', '')).to.deep.equal({ kind: 'edited', text: 'a c', places: [2] })
    expect(edit('costs $& and $1', '$&', '$$')).to.deep.equal({ kind: 'edited', text: 'costs $$ and $1', places: [6] })
  })

  it('recognises an edit that was already made, also one that adds to the old text', () => {
    expect(edit('a x c', 'b', 'x').kind).to.equal('done_already')
    expect(edit('a c', 'b', '').kind).to.equal('done_already')
    expect(edit('one\ntwo', 'one', 'one\none and a half').kind).to.equal('edited')
    expect(edit('one\none and a half\ntwo', 'one\n', 'one\none and a half\n').kind).to.equal('done_already')
    expect(edit('one', 'two', 'three').kind).to.equal('absent')
  })

  it('counts places that overlap: which one is meant is not clear', () => {
    expect(edit('aaa', 'aa', 'b').kind).to.equal('ambiguous')
    expect(edit('aaa', 'aa', 'b', true)).to.deep.equal({ kind: 'edited', text: 'ba', places: [0] })
  })

  it('refuses an edit that would not be repeatable', () => {
    expect(edit('abb', 'ab', 'a').kind).to.equal('unrepeatable')
    expect(edit('xab', 'x', 'a', true).kind).to.equal('edited')
  })

  it('is done after it was done, for any text', () => {
    const letters = fc.string({ unit: fc.constantFrom('a', 'b', '\n'), maxLength: 12 })
    const old = fc.string({ unit: fc.constantFrom('a', 'b', '\n'), minLength: 1, maxLength: 4 })
    fc.assert(
      fc.property(letters, old, letters, fc.boolean(), (text, before, after, all) => {
        const outcome = edit(text, before, after, all)
        if (outcome.kind === 'edited') expect(edit(outcome.text, before, after, all).kind).to.equal('done_already')
      }),
      { numRuns: 5_000 },
    )
  })
})
