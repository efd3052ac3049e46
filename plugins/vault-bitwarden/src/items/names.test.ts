import { expect } from 'chai'
import { createFreeNames } from './names.js'

describe('names of fields', () => {
  it('are numbered where they are the same, without looking at every number again', () => {
    const taken = new Set<string>(['same (3)'])
    let looked = 0
    const freeName = createFreeNames({
      has(name) {
        looked += 1
        return taken.has(name)
      },
    })
    const names = Array.from({ length: 2_000 }, () => {
      const name = freeName('same')
      taken.add(name)
      return name
    })
    expect(names.slice(0, 4)).to.deep.equal(['same', 'same (2)', 'same (4)', 'same (5)'])
    expect(new Set(names)).to.have.property('size', 2_000)
    expect(looked).to.be.below(5_000)
  })

  it('are cut, and are never empty', () => {
    const freeName = createFreeNames(new Set(['(no name)']))
    expect(freeName('')).to.equal('(no name) (2)')
    expect(freeName('x'.repeat(500))).to.have.length(200)
  })
})
