import { expect } from 'chai'
import { createKeyCache } from './key-cache.js'

describe('the kept keys', () => {
  const keyOf = (fingerprint: string) => ({ fingerprint, key: Uint8Array.of(1, 2, 3) })

  it('are forgotten when they are not used, when there are too many, and on request, and overwritten then', () => {
    let now = 0
    const cache = createKeyCache({ maxKeys: 2, maxIdleMs: 100, now: () => now })
    cache.set('a', keyOf('1'))
    const kept = cache.get('a')
    now = 99
    expect(cache.get('a')).to.deep.equal(keyOf('1'))
    cache.set('b', keyOf('2'))
    cache.set('c', keyOf('3'))
    expect(cache.get('a')).to.equal(undefined)
    expect(kept?.key).to.deep.equal(Uint8Array.of(0, 0, 0))
    now = 150
    expect(cache.get('c')).to.deep.equal(keyOf('3'))
    now = 200
    expect(cache.get('b')).to.equal(undefined)
    cache.forget('c')
    cache.forget('c')
    expect(cache.get('c')).to.equal(undefined)
    cache.set('d', keyOf('4'))
    cache.clear()
    expect(cache.get('d')).to.equal(undefined)
  })
})
