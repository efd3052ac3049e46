import { expect } from 'chai'
import o200k from 'js-tiktoken/ranks/o200k_base'
import { sampleTexts } from '../test-support/sample-texts.js'
import { estimateTokens } from './estimate-tokens.js'
import { createTokenizer, type Tokenizer } from './tokenizer.js'

/** The maximum ratio of estimate and real count; low for common kinds of text. */
const most: Readonly<Record<string, number>> = {
  English: 1.35,
  'technical English': 1.35,
  German: 1.35,
  code: 1.6,
  JSON: 1.6,
  base64: 1.35,
  'base64 of text': 1.35,
  hexadecimal: 1.6,
  Chinese: 2,
  Japanese: 2,
  Korean: 2.2,
  Russian: 2.5,
  Arabic: 4,
  Devanagari: 5,
  emoji: 2.2,
  numbers: 1.35,
}

describe('the estimate of tokens', () => {
  let tokenizer: Tokenizer

  before(() => {
    tokenizer = createTokenizer(o200k)
  })

  for (const [kind, text] of Object.entries(sampleTexts))
    it(`is at least the real count for ${kind}, and not far above`, () => {
      const ratio = estimateTokens(text) / tokenizer.count(text)
      expect(ratio).to.be.within(1, most[kind] ?? 0)
    })

  it('is 0 for an empty text, and low for a run of blanks', () => {
    expect(estimateTokens('')).to.equal(0)
    expect(estimateTokens(' '.repeat(10_000))).to.be.within(79, 2_000)
  })

  it('takes time proportional to the length for any text', function () {
    this.timeout(20_000)
    for (const pattern of ['a', ' ', 'aB1', 'aaaaaaaaaaaaaaaaaaaaB', '!', '\n ', '中', '\ud83d'])
      expect(estimateTokens(pattern.repeat(2_000_000 / pattern.length)), pattern).to.be.greaterThan(0)
  })
})
