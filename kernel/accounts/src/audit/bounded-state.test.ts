import { expect } from 'chai'
import { boundedState } from './bounded-state.js'

const sizeOf = (value: object): number => Buffer.byteLength(JSON.stringify(value))

describe('a state in the audit log', () => {
  it('is complete while it is small', () => {
    const state = { text: 'x'.repeat(10_000), list: [1, 2, null], nested: { yes: true } }
    expect(boundedState(state)).to.deep.equal(state)
  })

  it('has long texts and lists cut, with a note, if it is large', () => {
    const bounded = boundedState({
      name: 'short',
      text: 'x'.repeat(50_000),
      nested: { list: Array.from({ length: 5_000 }, (_, index) => index) },
    })
    expect(bounded['name']).to.equal('short')
    expect(bounded['text']).to.match(/^x{1000}… \(50000 characters\)$/)
    expect((bounded['nested'] as { readonly list: readonly unknown[] }).list)
      .to.have.length(21)
      .and.include('… (5000 items)')
  })

  it('never has more than 16 KiB', () => {
    const many = Object.fromEntries(Array.from({ length: 10_000 }, (_, index) => [`member-${index}`.padEnd(300, '.'), 'x'.repeat(100)]))
    for (const state of [many, { deep: many }, { text: '€'.repeat(100_000) }]) expect(sizeOf(boundedState(state))).to.be.at.most(16 * 1024)
    expect(boundedState(many)).to.include({ '…': '9980 more' })
  })
})
