import { expect } from 'chai'
import { createMissLimit } from './miss-limit.js'

function openLimit() {
  let now = 0
  const limit = createMissLimit({
    clock: { monotonic: () => now },
    refuse: ({ retryAfterSeconds }) => new Error(`again in ${retryAfterSeconds} s`),
  })
  const miss = (address: string, times: number): void => {
    for (let miss = 0; miss < times; miss += 1) limit.count(address)
  }
  return { limit, miss, pass: (ms: number) => (now += ms) }
}

describe('the limit of misses', () => {
  it('refuses a network after 60 misses, and lets one more through each second', () => {
    const { limit, miss, pass } = openLimit()
    miss('192.0.2.1', 59)
    expect(() => limit.check('192.0.2.1')).not.to.throw()
    miss('192.0.2.1', 1)
    expect(() => limit.check('192.0.2.1')).to.throw('again in 1 s')
    expect(() => limit.check('192.0.2.2')).not.to.throw()
    pass(1_000)
    expect(() => limit.check('192.0.2.1')).not.to.throw()
  })

  it('counts the addresses of one IPv6 network together', () => {
    const { limit, miss } = openLimit()
    miss('2001:db8::1', 60)
    expect(() => limit.check('2001:db8::2')).to.throw('again in')
  })

  it('remembers 10,000 networks, and forgets the one that was not seen for longest', () => {
    const { limit, miss } = openLimit()
    miss('192.0.2.1', 60)
    for (let network = 0; network < 10_000; network += 1) limit.count(`10.${network >> 8}.${network & 255}.1`)
    expect(() => limit.check('192.0.2.1')).not.to.throw()
  })
})
