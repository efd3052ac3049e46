import { expect } from 'chai'
import { maxSearchLength, maxSearchWords, searchTerms, wordsOf } from './search-words.js'

const levelledAlike: readonly (readonly string[])[] = [
  ['Café', 'CAFE', 'cafe', 'cafe\u0301', 'ｃａｆé'],
  ['Straße', 'STRASSE', 'strasse', 'STRAẞE'],
  ['ΟΔΟΣ', 'οδος', 'οδοσ', 'Ὀδός'],
  ['Ёлка', 'елка', 'ЕЛКА'],
  ['İstanbul', 'istanbul', 'ISTANBUL'],
  ['ﬁle', 'FILE'],
  ['Việt', 'viet'],
  ['שָׁלוֹם', 'שלום'],
  ['مُحَمَّد', 'محمد', 'محـــمد'],
  ['ｶﾞｷﾞ', 'ガギ'],
  ['한국', '한국'.normalize('NFD')],
]

describe('words', () => {
  for (const forms of levelledAlike) {
    it(`are the same for ${forms.join(', ')}`, () => {
      const [first, ...others] = forms.map(wordsOf)
      expect(first).not.to.deep.equal([])
      for (const other of others) expect(other).to.deep.equal(first)
    })
  }

  it('differ if they are written differently', () => {
    for (const [one, other] of [
      ['か', 'が'],
      ['कि', 'कु'],
      ['resume', 'resumes'],
      ['ı', 'o'],
    ]) {
      expect(wordsOf(one ?? '')).not.to.deep.equal(wordsOf(other ?? ''))
    }
  })

  it('end at a character that is not a letter, digit or mark', () => {
    expect(wordsOf("It's 3.14, foo_bar@example.com!\n\tC++ #42")).to.deep.equal([
      'it',
      's',
      '3',
      '14',
      'foo',
      'bar',
      'example',
      'com',
      'c',
      '42',
    ])
    expect(wordsOf('naïve—über… “Öl”')).to.deep.equal(['naive', 'uber', 'ol'])
    expect(wordsOf('हिन्दी में')).to.deep.equal(['हिन्दी', 'में'])
    for (const nothing of ['', ' \n', '…!?"\'*()', '\ud800', '\u0301']) expect(wordsOf(nothing)).to.deep.equal([])
  })

  it('are single characters in scripts without spaces', () => {
    expect(wordsOf('東京都のABC駅')).to.deep.equal(['東', '京', '都', 'の', 'abc', '駅'])
    expect(wordsOf('서울은 스키')).to.deep.equal(['서', '울', '은', '스', '키'])
    expect(wordsOf('ラーメン')).to.deep.equal(['ラ', 'ー', 'メ', 'ン'])
    expect(wordsOf('𠮷野家 🎉ok')).to.deep.equal(['𠮷', '野', '家', '🎉', 'ok'])
    expect(wordsOf('ที่').length).to.equal(1)
  })

  it('are truncated at 64 units, never inside a character', () => {
    expect(wordsOf('x'.repeat(1000))).to.deep.equal(['x'.repeat(64)])
    expect(wordsOf(`${'x'.repeat(63)}𝔸𐐀𐐀`.repeat(1)).every((word) => !/[\ud800-\udbff]$/.test(word))).to.equal(true)
    const long = wordsOf(`a${'𐐨'.repeat(40)}`)
    expect(long).to.deep.equal([`a${'𐐨'.repeat(31)}`])
  })

  it('contain nothing that a driver might misinterpret', () => {
    const every = Array.from({ length: 0x11000 }, (_, code) => (code >= 0xd800 && code <= 0xdfff ? '' : String.fromCodePoint(code))).join(
      'x ',
    )
    for (const word of wordsOf(every)) expect(word).to.match(/^[a-z0-9\u0080-\u{10ffff}]+$/u)
  })
})

describe('a typed text', () => {
  const terms = (text: string): string[] => searchTerms(text).map(({ words, prefix }) => `${words.join(' ')}${prefix ? '*' : ''}`)

  it('searches for every word, and for the beginning of the last', () => {
    expect(terms('Sun  and Sea')).to.deep.equal(['sun', 'and', 'sea*'])
    expect(terms('sun ')).to.deep.equal(['sun*'])
    expect(terms('sun, ...')).to.deep.equal(['sun*'])
  })

  it('searches for phrases in quotation marks and for text without spaces', () => {
    expect(terms('"New York" city')).to.deep.equal(['new york', 'city*'])
    expect(terms('city “New York”')).to.deep.equal(['city', 'new york'])
    expect(terms('user@example.com')).to.deep.equal(['user example com*'])
    expect(terms('東京 都')).to.deep.equal(['東 京', '都'])
    expect(terms('🎉')).to.deep.equal(['🎉'])
  })

  it('is always valid', () => {
    expect(terms('"unclosed phrase')).to.deep.equal(['unclosed', 'phrase*'])
    expect(terms('a" b "')).to.deep.equal(['a', 'b'])
    expect(terms('NOT (a OR b*) AND col:x^2 NEAR("c", 3) {d}-e')).to.deep.equal([
      'not',
      'a',
      'or',
      'b',
      'and',
      'col x 2',
      'near',
      'c',
      '3',
      'd e*',
    ])
    for (const nothing of ['', '  ', '"', '""', '*', "'); DROP TABLE x; --".replace(/\w/g, ''), '\ud800\udc00'.slice(0, 1)]) {
      expect(terms(nothing)).to.deep.equal([])
    }
  })

  it('counts up to its limits', () => {
    expect(searchTerms('w '.repeat(maxSearchLength))).to.have.length(maxSearchWords)
    expect(searchTerms(`"${'w '.repeat(100)}"`)[0]?.words).to.have.length(maxSearchWords)
    expect(terms(`${'x'.repeat(maxSearchLength)}tail`)).to.deep.equal([`${'x'.repeat(64)}*`])
  })
})
