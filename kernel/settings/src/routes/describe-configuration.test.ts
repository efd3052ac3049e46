import { expect } from 'chai'
import { changedPaths } from './describe-configuration.js'

describe('changedPaths', () => {
  it('names the deepest places, lists and what only one side has as a whole', () => {
    const before = { a: { b: 1, c: [1, 2], d: { e: 1 } }, 'x.y': 1, same: { deep: [{ k: 1, l: 2 }] } }
    const after = { a: { b: 2, c: [1], f: { g: 1 } }, 'x.y': 2, same: { deep: [{ l: 2, k: 1 }] } }
    expect(changedPaths(before, after)).to.deep.equal(['a.b', 'a.c', 'a.d', 'a.f', '"x.y"'])
  })

  it('names nothing where both are the same', () => {
    expect(changedPaths({}, {})).to.deep.equal([])
    expect(changedPaths({ a: null, b: 'x' }, { b: 'x', a: null })).to.deep.equal([])
  })
})
