import type { FilePart } from '@agent-service/sdk/contracts/provider-adapter'
import { expect } from 'chai'
import { estimateTokens } from './estimate-tokens.js'

const file = (media_type: string, bytes: number): FilePart => ({
  type: 'file',
  name: 'a file',
  media_type,
  data: Buffer.alloc(bytes, 'a').toString('base64'),
})

describe('the quick estimate of tokens', () => {
  it('grows with an attached text and an attached document, and counts a short one as any medium', () => {
    expect(estimateTokens([file('text/plain', 200_000)])).to.be.within(100_000, 100_010)
    expect(estimateTokens([file('application/pdf', 200_000)])).to.be.within(20_000, 20_010)
    expect(estimateTokens([file('text/plain', 100)])).to.equal(1_004)
    // Whatever reaches a model as text counts as text.
    for (const type of ['application/json', 'application/sql; charset=utf-8', 'image/svg+xml'])
      expect(estimateTokens([file(type, 200_000)]), type).to.be.within(100_000, 100_010)
  })

  it('counts words at four characters, and other scripts by their bytes', () => {
    expect(estimateTokens([{ type: 'text', text: 'word '.repeat(800) }])).to.equal(1_004)
    expect(estimateTokens([{ type: 'text', text: '漢'.repeat(400) }])).to.equal(504)
  })
})
