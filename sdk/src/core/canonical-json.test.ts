import { expect } from 'chai'
import { canonicalJson } from './canonical-json.js'

describe('canonicalJson', () => {
  it('does not depend on the order of members, at any depth', () => {
    expect(canonicalJson({ b: [{ d: 1, c: 2 }], a: null })).to.equal('{"a":null,"b":[{"c":2,"d":1}]}')
  })

  it('keeps apart what differs', () => {
    expect(canonicalJson(['1'])).not.to.equal(canonicalJson([1]))
    expect(canonicalJson({ a: '', b: 'x' })).not.to.equal(canonicalJson({ a: 'x', b: '' }))
    expect(canonicalJson(JSON.parse('{"__proto__":1}'))).to.equal('{"__proto__":1}')
  })
})
