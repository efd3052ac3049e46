import type { ModelMessage } from '@agent-service/sdk/contracts/provider-adapter'
import { expect } from 'chai'
import { createKnownSizes, estimateAll } from './known-sizes.js'

const message = (text: string): ModelMessage => ({ role: 'user', content: [{ type: 'text', text }] })
const counted = [message('They talked.'), message('More words.'), message('And more.')]

describe('the known size of a conversation', () => {
  it('is the counted size, and twice the estimate of later messages', () => {
    const sizes = createKnownSizes()
    expect(sizes.atMost('primary', counted)).to.equal(undefined)
    sizes.remember('primary', counted, 100)
    expect(sizes.atMost('primary', counted)).to.equal(100)
    const since = [message('One more.'), message('And the last one.')]
    expect(sizes.atMost('primary', [...counted, ...since])).to.equal(100 + 2 * estimateAll(since))
  })

  it('is undefined for another model, another beginning, or a shorter conversation', () => {
    const sizes = createKnownSizes()
    sizes.remember('primary', counted, 100)
    expect(sizes.atMost('other', counted)).to.equal(undefined)
    expect(sizes.atMost('primary', [message('They talk.'), ...counted.slice(1)])).to.equal(undefined)
    expect(sizes.atMost('primary', [...counted.slice(0, 1), message('Other words, and more of them.'), ...counted.slice(2)])).to.equal(
      undefined,
    )
    expect(sizes.atMost('primary', counted.slice(0, 2))).to.equal(undefined)
    expect(sizes.atMost('primary', [])).to.equal(undefined)
  })

  it('is kept for the thousand conversations counted last', () => {
    const sizes = createKnownSizes()
    const of = (index: number) => [message(`Conversation ${index}.`)]
    for (let index = 0; index <= 1_000; index += 1) {
      sizes.remember('primary', of(index), index)
      sizes.remember('primary', of(1), 1)
    }
    expect([0, 1, 2, 1_000].map((index) => sizes.atMost('primary', of(index)))).to.deep.equal([undefined, 1, 2, 1_000])
  })
})
