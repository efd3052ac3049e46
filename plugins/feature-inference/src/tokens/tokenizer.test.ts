import { expect } from 'chai'
import fc from 'fast-check'
import { Tiktoken, type TiktokenBPE } from 'js-tiktoken/lite'
import cl100k from 'js-tiktoken/ranks/cl100k_base'
import o200k from 'js-tiktoken/ranks/o200k_base'
import { sampleTexts } from '../test-support/sample-texts.js'
import { splitIntoBlocks } from './split-into-blocks.js'
import { createTokenizer } from './tokenizer.js'

const encodings: Readonly<Record<string, TiktokenBPE>> = { o200k_base: o200k, cl100k_base: cl100k }

for (const [name, data] of Object.entries(encodings))
  describe(`the tokenizer of ${name}`, () => {
    let tokenizer: ReturnType<typeof createTokenizer>
    let reference: Tiktoken

    before(function () {
      this.timeout(20_000)
      tokenizer = createTokenizer(data)
      reference = new Tiktoken(data)
    })

    const expected = (text: string): number => reference.encode(text, [], []).length

    for (const [kind, text] of Object.entries(sampleTexts))
      it(`counts ${kind} as the reference does`, () => {
        expect(tokenizer.count(text)).to.equal(expected(text))
      })

    it('counts the published examples', () => {
      expect(tokenizer.count('hello world')).to.equal(2)
      expect(tokenizer.count('')).to.equal(0)
      expect(tokenizer.count('antidisestablishmentarianism')).to.equal(6)
    })

    it('treats special tokens as text', () => {
      expect(tokenizer.count('<|endoftext|>')).to.equal(expected('<|endoftext|>')).and.to.be.greaterThan(1)
    })

    it('counts random texts as the reference does', function () {
      this.timeout(30_000)
      const seed = Number(process.env['SEED'] ?? 20_261_122)
      const scrap = fc.constantFrom(
        'aaaa',
        "'s",
        "'LL",
        '  ',
        '\n',
        '\r\n ',
        '\t',
        '123',
        '世界',
        'ß',
        'É',
        'ǅ',
        '🏳️‍🌈',
        '\ud800',
        '/*/\n',
        '…',
        'Zzz',
      )
      const texts = fc
        .array(fc.tuple(fc.string({ unit: 'binary', maxLength: 12 }), scrap), { maxLength: 20 })
        .map((parts) => parts.flat().join(''))
      fc.assert(
        fc.property(texts, (text) => tokenizer.count(text) === expected(text)),
        { seed, numRuns: 500 },
      )
    })

    it('takes time proportional to the length of a run of one character', function () {
      this.timeout(30_000)
      for (const [character, tokens] of runs[name] ?? []) expect(tokenizer.count(character.repeat(500_000)), character).to.equal(tokens)
    })
  })

/**
 * The tokens of half a million equal characters; the longest such tokens have 8 letters, 128 blanks
 * and so on.
 */
const runs: Readonly<Record<string, readonly (readonly [character: string, tokens: number])[]>> = {
  o200k_base: [
    ['a', 62_500],
    [' ', 3_907],
    ['A', 62_500],
    ['!', 31_250],
  ],
  cl100k_base: [
    ['a', 62_500],
    [' ', 3_907],
    ['A', 62_500],
    ['!', 62_500],
  ],
}

describe('blocks of a long text', () => {
  it('end where tokens end, so that their counts add up to that of the text', function () {
    this.timeout(20_000)
    const tokenizer = createTokenizer(o200k)
    const text = `${sampleTexts['English']}\n${sampleTexts['code']}\n${sampleTexts['German']}\n`.repeat(150)
    const blocks = [...splitIntoBlocks(text)]
    expect(blocks.length).to.be.greaterThan(2)
    expect(blocks.join('')).to.equal(text)
    expect(blocks.reduce((sum, block) => sum + tokenizer.count(block), 0)).to.equal(tokenizer.count(text))
  })

  it('never split a character, and end for texts of any length', () => {
    for (const text of ['', 'a', 'a'.repeat(131_072), `a${'🚀'.repeat(100_000)}`, 'word '.repeat(60_000)]) {
      const blocks = [...splitIntoBlocks(text)]
      expect(blocks.join('')).to.equal(text)
      expect(blocks.every((block) => Buffer.from(block).toString() === block)).to.equal(true)
      expect(Math.max(...blocks.map((block) => block.length))).to.be.at.most(131_072)
    }
  })
})
