import { expect } from 'chai'
import { holderOf, networkOf } from '../services/quotas.js'

describe('who a request counts for', () => {
  it('is its user, else its network', () => {
    expect(holderOf({ principal: { userId: 'ada' }, address: '192.0.2.1' })).to.equal('user:ada')
    expect(holderOf({ address: '192.0.2.1' })).to.equal('address:192.0.2.1')
    const household = ['2001:db8:1:2::1', '2001:db8:1:2:ffff:ffff:ffff:ffff', '2001:db8:1:2:0:0:192.0.2.1']
    expect(new Set(household.map((address) => holderOf({ address })))).to.deep.equal(new Set(['address:2001:db8:1:2::/64']))
    expect(networkOf('2001:db8:1:3::1')).to.equal('2001:db8:1:3::/64')
    expect(networkOf('::1')).to.equal('0:0:0:0::/64')
  })
})
