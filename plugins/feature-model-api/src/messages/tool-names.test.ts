import type { JsonObject } from '@agent-service/sdk'
import { expect } from 'chai'
import { createToolNames } from './tool-names.js'

const namespace = (name: string, ...functions: readonly string[]): JsonObject => ({
  type: 'namespace',
  name,
  tools: functions.map((each) => ({ type: 'function', name: each })),
})

describe('the names of functions for a model', () => {
  it('are those of the tools first, whatever the conversation has', () => {
    const names = createToolNames([namespace('a', 'b__c')])
    expect(names.join({ namespace: 'a__b', name: 'c' })).to.match(/^a__b__c_[0-9a-f]{8}$/)
    expect(names.join({ namespace: 'a', name: 'b__c' })).to.equal('a__b__c')
  })

  it('are free even if a function has the name of another with its digest', () => {
    const shortened = createToolNames([]).join({ namespace: 'a.b', name: 'c' })
    const names = createToolNames([{ type: 'function', name: shortened }, namespace('a.b', 'c')])
    const other = names.join({ namespace: 'a.b', name: 'c' })
    expect(other)
      .to.match(/^a_b__c_[0-9a-f]{8}$/)
      .and.not.equal(shortened)
    expect([names.split(shortened), names.split(other)]).to.deep.equal([{ name: shortened }, { name: 'c', namespace: 'a.b' }])
  })

  it('are made for no more tools than a request may have', () => {
    const many = Array.from({ length: 2_000 }, (_, index) => `f${index}`)
    const names = createToolNames([namespace('a', ...many), namespace('b', ...many), namespace('c', 'd')])
    expect(names.split('a__f999')).to.deep.equal({ name: 'f999', namespace: 'a' })
    expect([names.split('a__f1000'), names.split('c__d')]).to.deep.equal([{ name: 'a__f1000' }, { name: 'c__d' }])
  })

  it('are made of whatever stands in the list', () => {
    const odd = [
      { type: 'namespace', name: 'a', tools: [null, 'x', 7, [], { name: 3 }] },
      { type: 'namespace', name: 'b', tools: 'x' },
      { type: 'namespace' },
    ]
    expect(createToolNames(odd as never).split('x')).to.deep.equal({ name: 'x' })
  })
})
