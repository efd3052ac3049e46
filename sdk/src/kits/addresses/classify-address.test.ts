import { expect } from 'chai'
import fc from 'fast-check'
import ipaddr from 'ipaddr.js'
import { type AddressClass, classifyAddress } from './classify-address.js'

const table: readonly (readonly [string, AddressClass])[] = [
  ['0.0.0.0', 'unspecified'],
  ['0.1.2.3', 'unspecified'],
  ['1.1.1.1', 'public'],
  ['8.8.8.8', 'public'],
  ['9.255.255.255', 'public'],
  ['10.0.0.0', 'private'],
  ['10.255.255.255', 'private'],
  ['11.0.0.0', 'public'],
  ['100.63.255.255', 'public'],
  ['100.64.0.0', 'carrier-grade-nat'],
  ['100.127.255.255', 'carrier-grade-nat'],
  ['100.128.0.0', 'public'],
  ['100.100.100.200', 'metadata'],
  ['126.255.255.255', 'public'],
  ['127.0.0.0', 'loopback'],
  ['127.0.0.1', 'loopback'],
  ['127.255.255.255', 'loopback'],
  ['128.0.0.0', 'public'],
  ['168.63.129.16', 'metadata'],
  ['168.63.129.17', 'public'],
  ['169.253.255.255', 'public'],
  ['169.254.0.1', 'link-local'],
  ['169.254.169.254', 'metadata'],
  ['169.254.170.2', 'metadata'],
  ['169.255.0.0', 'public'],
  ['172.15.255.255', 'public'],
  ['172.16.0.0', 'private'],
  ['172.31.255.255', 'private'],
  ['172.32.0.0', 'public'],
  ['192.0.0.8', 'reserved'],
  ['192.0.0.192', 'metadata'],
  ['192.0.2.1', 'reserved'],
  ['192.88.99.1', 'reserved'],
  ['192.167.255.255', 'public'],
  ['192.168.0.1', 'private'],
  ['192.168.255.255', 'private'],
  ['192.169.0.0', 'public'],
  ['198.17.255.255', 'public'],
  ['198.18.0.1', 'reserved'],
  ['198.19.255.255', 'reserved'],
  ['198.51.100.1', 'reserved'],
  ['203.0.113.255', 'reserved'],
  ['223.255.255.255', 'public'],
  ['224.0.0.1', 'multicast'],
  ['239.255.255.255', 'multicast'],
  ['240.0.0.1', 'reserved'],
  ['255.255.255.255', 'reserved'],
  ['::', 'unspecified'],
  ['::1', 'loopback'],
  ['0:0:0:0:0:0:0:1', 'loopback'],
  ['::2', 'reserved'],
  ['::7f00:1', 'reserved'],
  ['::ffff:127.0.0.1', 'loopback'],
  ['::ffff:7f00:1', 'loopback'],
  ['0:0:0:0:0:ffff:a00:1', 'private'],
  ['::ffff:8.8.8.8', 'public'],
  ['::ffff:169.254.169.254', 'metadata'],
  ['::ffff:0:127.0.0.1', 'reserved'],
  ['64:ff9b::7f00:1', 'loopback'],
  ['64:ff9b::10.0.0.1', 'private'],
  ['64:ff9b::a9fe:a9fe', 'metadata'],
  ['64:ff9b::8.8.8.8', 'public'],
  ['64:ff9b:1::7f00:1', 'reserved'],
  ['100::1', 'reserved'],
  ['2001::1', 'reserved'],
  ['2001:2::1', 'reserved'],
  ['2001:10::1', 'reserved'],
  ['2001:20::1', 'reserved'],
  ['2001:db8::1', 'reserved'],
  ['2002:7f00:1::', 'reserved'],
  ['2002:808:808::', 'reserved'],
  ['2606:4700:4700::1111', 'public'],
  ['2a00:1450:4001:81b::200e', 'public'],
  ['3fff::1', 'reserved'],
  ['4000::1', 'reserved'],
  ['5f00::1', 'reserved'],
  ['fbff::1', 'reserved'],
  ['fc00::1', 'private'],
  ['fd12:3456:789a::1', 'private'],
  ['fd00:ec2::254', 'metadata'],
  ['fd20:ce::254', 'metadata'],
  ['fe80::1', 'link-local'],
  ['fe80::1%eth0', 'link-local'],
  ['febf::1', 'link-local'],
  ['fec0::1', 'private'],
  ['ff02::1', 'multicast'],
  ['not an address', 'reserved'],
  ['127.1', 'reserved'],
  ['0x7f.0.0.1', 'reserved'],
  ['', 'reserved'],
]

describe('classifyAddress', () => {
  for (const [address, expected] of table) {
    it(`classifies ${address || 'an empty text'} as ${expected}`, () => {
      expect(classifyAddress(address)).to.equal(expected)
    })
  }

  it('classifies every mapped and translated form as the IPv4 address in it', () => {
    fc.assert(
      fc.property(fc.ipV4(), (address) => {
        const [a = 0, b = 0, c = 0, d = 0] = address.split('.').map(Number)
        const hex = `${((a << 8) | b).toString(16)}:${((c << 8) | d).toString(16)}`
        const forms = [`::ffff:${address}`, `::ffff:${hex}`, `0:0:0:0:0:FFFF:${hex}`, `64:ff9b::${hex}`, `64:ff9b::${address}`]
        expect(forms.map(classifyAddress)).to.deep.equal(forms.map(() => classifyAddress(address)))
      }),
    )
  })

  it('classifies no address outside 2000::/3 as public unless it contains a public IPv4 address', () => {
    fc.assert(
      fc.property(fc.ipV6(), (address) => {
        if (classifyAddress(address) !== 'public') return
        const first = ipaddr.parse(address).toByteArray()[0] ?? 0
        const carries = /^(64:ff9b::|::ffff:|0:0:0:0:0:ffff:)/i.test(ipaddr.parse(address).toString())
        expect(first >> 5 === 1 || carries).to.equal(true)
      }),
      { numRuns: 500 },
    )
  })
})
