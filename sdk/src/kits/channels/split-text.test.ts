import { expect } from 'chai'
import fc from 'fast-check'
import type { ChannelTextLimit } from '../../contracts/channel/declaration.js'
import { codeFencesOf } from './code-fences.js'
import { segmentsOf } from './gsm.js'
import { chunksOf, shortenText, splitText } from './split-text.js'
import { textFits, textLengthOf } from './text-length.js'

const utf16 = (max: number): { readonly limit: ChannelTextLimit } => ({ limit: { unit: 'utf16', max } })

const words = fc.constantFrom(
  ...[
    'word',
    'a',
    'Straße',
    'Привет',
    '世界',
    '👩‍👩‍👧‍👦',
    '🇦🇹🇩🇪',
    'é',
    'e\u0301',
    '€',
    '{',
    '“quoted”',
    '**bold**',
    'x'.repeat(40),
    '\r\n',
  ],
  ...[
    '. ',
    '! ',
    '。',
    ' ',
    ' ',
    '\n',
    '\n\n',
    '\n\n\n',
    '\t',
    '```\n',
    '\n```\n',
    '```js\n',
    '\n```',
    '~~~\n',
    '  ```ts\n',
    '- item\n',
    '\ud800',
    '\udc00',
  ],
)
const texts = fc.array(words, { maxLength: 120 }).map((parts) => parts.join(''))
const limits: fc.Arbitrary<ChannelTextLimit> = fc.oneof(
  fc.record({ unit: fc.constant('utf16' as const), max: fc.integer({ min: 100, max: 300 }) }),
  fc.record({ unit: fc.constant('characters' as const), max: fc.integer({ min: 50, max: 300 }) }),
  fc.record({ unit: fc.constant('bytes' as const), max: fc.integer({ min: 200, max: 600 }) }),
  fc.record({ unit: fc.constant('segments' as const), max: fc.integer({ min: 1, max: 3 }) }),
)
const seed = process.env['SEED'] === undefined ? {} : { seed: Number(process.env['SEED']) }

describe('splitting a text', function () {
  this.timeout(30_000)

  it('gives the text back, in parts that fit and are not blank', () => {
    fc.assert(
      fc.property(texts, limits, fc.boolean(), (text, limit, markdown) => {
        const chunks = chunksOf(text, { limit, markdown })
        expect(chunks.map(({ content }) => content).join('')).to.equal(text)
        const parts = splitText(text, { limit, markdown })
        expect(parts.filter((part) => !textFits(part, limit))).to.deep.equal([])
        expect(parts.every((part) => part.trim() !== '')).to.equal(true)
        if (!markdown) expect(parts.join('').replace(/\s/g, '')).to.equal(text.replace(/\s/g, ''))
      }),
      { numRuns: 300, ...seed },
    )
  })

  it('breaks no character as people see it', () => {
    const segmenter = new Intl.Segmenter('en', { granularity: 'grapheme' })
    fc.assert(
      fc.property(texts, limits, (text, limit) => {
        const borders = new Set([...segmenter.segment(text)].map(({ index }) => index))
        let at = 0
        for (const { content } of chunksOf(text, { limit, markdown: false })) {
          expect(borders.has(at)).to.equal(true)
          at += content.length
        }
      }),
      { numRuns: 200, ...seed },
    )
  })

  it('leaves every block of code closed that the text closes', () => {
    fc.assert(
      fc.property(texts, limits, (text, limit) => {
        const parts = splitText(text, { limit })
        // A line that is longer than a part may begin like a block, and be none by what stands at its end.
        const isCutLine = (part: string, start: number): boolean => !part.includes('\n', start)
        for (const part of parts.slice(0, -1))
          expect(
            codeFencesOf(part).filter(({ start, to, end }) => to === end && !isCutLine(part, start)),
            part,
          ).to.deep.equal([])
      }),
      { numRuns: 200, ...seed },
    )
  })

  it('keeps a block whose first line is longer than a part', () => {
    const text = `\`\`\`${'x'.repeat(30)}\ncode()\nmore()\n\`\`\`\nprose`
    const parts = splitText(text, { limit: { unit: 'characters', max: 20 } })
    expect(parts).to.deep.equal([
      '```xxxxxxxxxxxxx\n```',
      '```\nxxxxxxxxxxxx\n```',
      '```\nxxxxx\n```',
      '```\ncode()\n```',
      '```\nmore()\n```\nprose',
    ])
  })

  it('keeps code in blocks, and everything else outside', () => {
    const line = fc.constantFrom('prose one', 'prose two is a longer one. It has two sentences', 'prose', '')
    const code = fc.constantFrom('code()', 'code(1, 2, 3) // and a remark that is long', '  code', '')
    const block = fc.tuple(fc.constantFrom('```', '```js', '~~~', '````'), fc.array(code, { maxLength: 12 }))
    const written = fc.array(
      fc.oneof(
        line,
        block.map(([open, lines]) => [open, ...lines, open.replace('js', '')].join('\n')),
      ),
      { maxLength: 12 },
    )
    fc.assert(
      fc.property(written, fc.integer({ min: 100, max: 200 }), (blocks, max) => {
        for (const part of splitText(blocks.join('\n'), utf16(max))) {
          const inside = codeFencesOf(part).map(({ from, to }) => part.slice(from, to))
          const outside = codeFencesOf(part).reduceRight((rest, { start, end }) => rest.slice(0, start) + rest.slice(end), part)
          expect(inside.join('')).to.not.contain('prose')
          expect(outside).to.not.contain('code')
        }
      }),
      { numRuns: 300, ...seed },
    )
  })

  it('ends parts after paragraphs, lines, sentences and words, in this order', () => {
    expect(splitText('First paragraph is this.\n\nSecond one. And more', utf16(40))).to.deep.equal([
      'First paragraph is this.\n\n',
      'Second one. And more',
    ])
    expect(splitText('A first line of it\nthe second line\nand', utf16(36))).to.deep.equal(['A first line of it\nthe second line\n', 'and'])
    expect(splitText('It is one sentence. It is another one', utf16(30))).to.deep.equal(['It is one sentence. ', 'It is another one'])
    expect(splitText('words that have no end of any kind', utf16(20))).to.deep.equal(['words that have no ', 'end of any kind'])
    expect(splitText('x'.repeat(25), utf16(10))).to.deep.equal(['x'.repeat(10), 'x'.repeat(10), 'x'.repeat(5)])
  })

  it('closes a block of code and opens it again, with its language and indentation', () => {
    const code = ['const one = 1', 'const two = 2', 'const three = 3'].join('\n')
    expect(splitText(`Look:\n\n\`\`\`ts\n${code}\n\`\`\`\nDone.`, utf16(48))).to.deep.equal([
      'Look:\n\n```ts\nconst one = 1\nconst two = 2\n```',
      '```ts\nconst three = 3\n```\nDone.',
    ])
    expect(splitText(`1. Do\n\n   ~~~sh -x\n   ${'a '.repeat(20)}\n   ~~~\n`, utf16(50))).to.deep.equal([
      '1. Do\n\n   ~~~sh -x\n   a a a a a a a a a a \n   ~~~',
      `   ~~~sh\n${'a '.repeat(10)}\n   ~~~\n`,
    ])
  })

  it('leaves a block whole where it fits into the next part', () => {
    const block = '```js\nrun()\n```\n'
    expect(splitText(`${'word '.repeat(9)}\n${block}`, utf16(58))).to.deep.equal([`${'word '.repeat(9)}\n`, block])
  })

  it('goes on without marks where there is room for nothing else', () => {
    expect(splitText('```typescript\nabc\n```', utf16(8)).join('')).to.contain('abc')
  })

  it('cuts what is no character any more between code points alone', () => {
    const stacked = `a${'\u0301'.repeat(30)}`
    const parts = splitText(stacked, utf16(10))
    expect(parts.join('')).to.equal(stacked)
    expect(splitText('😀'.repeat(3), utf16(1))).to.deep.equal(['😀', '😀', '😀'])
  })

  it('gives no part of a blank text', () => {
    expect(splitText('', utf16(10))).to.deep.equal([])
    expect(splitText(' \n\n', utf16(10))).to.deep.equal([])
    expect(splitText(`a${'\n'.repeat(35)}b`, utf16(10))).to.have.length.below(4)
  })

  it('takes no time that grows with the square of the text', () => {
    const long = `${'One sentence. '.repeat(20)}\n\n\`\`\`\n${'code line\n'.repeat(30)}\`\`\`\n`.repeat(500)
    const parts = splitText(long, utf16(2_000))
    expect(parts.length).to.be.within(150, 400)
  })
})

describe('shortening a text', () => {
  const ending = '… https://town.example/s/abc'

  it('leaves a text that fits as it is', () => {
    expect(shortenText('short', { ...utf16(100), ending })).to.equal('short')
  })

  it('ends after a sentence or a word, with the ending', () => {
    expect(shortenText('One two three. Four five six. Seven eight', { ...utf16(40), ending: '… link' })).to.equal(
      'One two three. Four five six.… link',
    )
    expect(shortenText('word '.repeat(50), { ...utf16(50), ending })).to.equal(`word word word word${ending}`)
  })

  it('has the ending outside of a block of code', () => {
    const short = shortenText(`Look:\n\`\`\`js\n${'run()\n'.repeat(30)}\`\`\`\n`, { ...utf16(100), ending })
    expect(short).to.match(/^Look:\n```js\n(?:run\(\)\n)+```\n… https/)
  })

  it('fits, begins as the text and ends with the ending', () => {
    fc.assert(
      fc.property(texts, limits, fc.boolean(), (text, limit, markdown) => {
        const short = shortenText(text, { limit, markdown, ending })
        expect(textFits(short, limit)).to.equal(true)
        if (short === text) return
        expect(short.endsWith(ending)).to.equal(true)
        const begin = short.slice(0, -ending.length).replace(/\n *(?:```|~~~)\n$/, '')
        expect(text.startsWith(begin.trimEnd())).to.equal(true)
      }),
      { numRuns: 300, ...seed },
    )
  })
})

describe('the length of a text', () => {
  for (const [text, utf16Units, characters, bytes, segments] of [
    ['', 0, 0, 0, 0],
    ['a', 1, 1, 1, 1],
    ['é', 1, 1, 2, 1],
    ['€', 1, 1, 3, 1],
    ['👍', 2, 1, 4, 1],
    ['a'.repeat(160), 160, 160, 160, 1],
    ['a'.repeat(161), 161, 161, 161, 2],
    ['a'.repeat(306), 306, 306, 306, 2],
    ['a'.repeat(307), 307, 307, 307, 3],
    ['€'.repeat(80), 80, 80, 240, 1],
    ['€'.repeat(81), 81, 81, 243, 2],
    [`${'a'.repeat(152)}€${'a'.repeat(152)}`, 305, 305, 307, 3],
    ['ж'.repeat(70), 70, 70, 140, 1],
    ['ж'.repeat(71), 71, 71, 142, 2],
    [`${'ж'.repeat(66)}👍${'ж'.repeat(66)}`, 134, 133, 268, 3],
  ] as const) {
    it(`of “${text.slice(0, 12)}” with ${utf16Units} units`, () => {
      const lengths = (['utf16', 'characters', 'bytes', 'segments'] as const).map((unit) => textLengthOf(text, unit))
      expect(lengths).to.deep.equal([utf16Units, characters, bytes, segments])
    })
  }

  it('counts one character beyond GSM-7 for the whole text', () => {
    expect(segmentsOf('a'.repeat(150))).to.equal(1)
    expect(segmentsOf(`${'a'.repeat(150)}“`)).to.equal(3)
  })
})
