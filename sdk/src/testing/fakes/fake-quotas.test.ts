import { expect } from 'chai'
import { createFakeQuotas } from './fake-quotas.js'

describe('the shares of a test', () => {
  it('refuse as those of the service do, and count a release once', () => {
    const quotas = createFakeQuotas()
    const limit = quotas.limit({ name: 'things', counts: 'things', maxPerHolder: 2 })
    const hold = limit.take('a', 2)
    expect(() => limit.take('a'))
      .to.throw()
      .with.property('code', 'limit_reached')
    for (const amount of [Number.NaN, -1]) expect(() => limit.take('a', amount)).to.throw(RangeError)
    hold.resize(1)
    limit.take('a')
    hold.release()
    hold.release()
    hold.resize(2)
    expect([limit.used('a'), hold.amount]).to.deep.equal([1, 0])
    expect([...quotas.declared.keys()]).to.deep.equal(['things'])
  })
})
