import { expect } from 'chai'
import fc from 'fast-check'
import { fuseRanks } from './fuse-ranks.js'

const ids = (ranks: readonly { readonly id: string }[]): readonly string[] => ranks.map(({ id }) => id)

describe('fused ranks', () => {
  it('put what both lists have above what one has', () => {
    expect(
      ids(
        fuseRanks([
          ['a', 'b', 'c'],
          ['c', 'd'],
        ]),
      ),
    ).to.deep.equal(['c', 'a', 'b', 'd'])
    expect(fuseRanks([['a']])).to.deep.equal([{ id: 'a', score: 1 / 61 }])
    expect(
      ids(
        fuseRanks(
          [
            ['a', 'b'],
            ['b', 'a'],
          ],
          { k: 1 },
        ),
      ),
    ).to.deep.equal(['a', 'b'])
  })

  it('contain each id once, in an order that only the places decide', () => {
    const list = fc.array(fc.constantFrom('a', 'b', 'c', 'd', 'e'))
    fc.assert(
      fc.property(fc.array(list, { maxLength: 4 }), (lists) => {
        const fused = fuseRanks(lists)
        expect([...ids(fused)].sort()).to.deep.equal([...new Set(lists.flat())].sort())
        for (const [index, { score }] of fused.entries()) expect(score).to.be.at.most(fused[index - 1]?.score ?? 1)
      }),
    )
  })
})
