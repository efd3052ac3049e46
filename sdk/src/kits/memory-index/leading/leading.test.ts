import { expect } from 'chai'
import fc from 'fast-check'
import { changedLeading, type Leading, type LeadingOptions, leadingOf } from './leading.js'

interface Item {
  readonly id: number
  readonly rank: number
  readonly weight: number
}

const options = (max: number, omitted: Item[] = []): LeadingOptions<Item> => ({
  compare: (one, other) => one.rank - other.rank || one.id - other.id,
  weigh: ({ weight }) => weight,
  max,
  onOmitted: (item) => omitted.push(item),
})

/** The leading ones and the omitted ones are all; the first are the head of the order of all. */
function check(found: Leading<Item>, all: readonly Item[], max: number): void {
  const { compare } = options(max)
  const sorted = [...all].sort(compare)
  expect(found.items).to.deep.equal(sorted.slice(0, found.items.length))
  const { until } = found
  if (until === null) expect(found.items).to.have.length(all.length)
  else {
    const behind = sorted.slice(found.items.length)
    expect(behind.filter((item) => compare(item, until) <= 0)).to.deep.equal([])
  }
}

const items = fc
  .array(fc.record({ rank: fc.integer({ min: 0, max: 20 }), weight: fc.integer({ min: 1, max: 9 }) }), { maxLength: 60 })
  .map((list) => list.map((item, id) => ({ ...item, id })))

describe('the leading ones of many', () => {
  it('are the head of their order, as many as fit, and say whether there are others', () => {
    fc.assert(
      fc.property(items, fc.integer({ min: 1, max: 60 }), (all, max) => {
        const omitted: Item[] = []
        const found = leadingOf(all, options(max, omitted))
        check(found, all, max)
        expect(found.items.length + omitted.length).to.equal(all.length)
        const weight = found.items.reduce((sum, item) => sum + item.weight, 0)
        expect(weight <= max || found.items.length === 1).to.equal(true)
      }),
    )
  })

  it('stay so over changes, or ask for all of them', () => {
    const change = fc.record({
      drop: fc.array(fc.nat(80), { maxLength: 9 }),
      ranks: fc.array(fc.integer({ min: 0, max: 20 }), { maxLength: 5 }),
    })
    fc.assert(
      fc.property(items, fc.integer({ min: 1, max: 60 }), fc.array(change, { maxLength: 8 }), (first, max, changes) => {
        const all = new Map(first.map((item) => [item.id, item]))
        let found = leadingOf(all.values(), options(max))
        let next = first.length
        for (const { drop, ranks } of changes) {
          const put = ranks.map((rank) => ({ id: next++, rank, weight: 2 }))
          for (const id of drop) all.delete(id)
          for (const item of put) all.set(item.id, item)
          found =
            changedLeading(found, { isGone: ({ id }) => drop.includes(id), put }, options(max)) ?? leadingOf(all.values(), options(max))
          check(found, [...all.values()], max)
        }
      }),
    )
  })

  it('ask for all of them only while others may be needed', () => {
    const all = Array.from({ length: 20 }, (_, id) => ({ id, rank: id, weight: 1 }))
    const found = leadingOf(all, options(10))
    expect(changedLeading(found, { isGone: ({ id }) => id < 5, put: [] }, options(10))?.items).to.have.length(5)
    expect(changedLeading(found, { isGone: ({ id }) => id < 6, put: [] }, options(10))).to.equal(undefined)
    const whole = leadingOf(all, options(20))
    expect(changedLeading(whole, { isGone: ({ id }) => id < 19, put: [] }, options(20))).to.deep.equal({
      items: all.slice(19),
      until: null,
    })
  })
})
