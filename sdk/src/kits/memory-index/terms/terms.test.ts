import { expect } from 'chai'
import fc from 'fast-check'
import { foldText } from './fold.js'
import { stemWord } from './stem.js'
import { queryTermsOf, termsOf } from './terms.js'

describe('the terms of memories', () => {
  const same: readonly (readonly [string, string])[] = [
    ['Café Müller', 'CAFE MULLER'],
    ['Straße', 'strasse'],
    ['Ｆｕｌｌ　ｗｉｄｔｈ', 'full width'],
    ['Łódź', 'lodz'],
    ['smørrebrød', 'smorrebrod'],
    ['Ёлка', 'елка'],
    ['garden', 'gardens'],
    ['planting', 'planted'],
    ['planted', 'plants'],
    ['stopped', 'stopping'],
    ['studies', 'study'],
    ['studied', 'study'],
    ['making', 'makes'],
    ['boxes', 'box'],
    ['churches', 'church'],
    ['classes', 'class'],
    ["the cat's toy", 'the cat toy'],
    ['don’t', "don't"],
    ['서울에서', '서울에서'.normalize('NFD')],
  ]
  for (const [one, other] of same)
    it(`are the same for “${one}” and “${other}”`, () => {
      expect(termsOf(one)).to.deep.equal(termsOf(other))
    })

  const different: readonly (readonly [string, string])[] = [
    ['bus', 'bu'],
    ['this', 'thi'],
    ['ring', 'r'],
    ['red', 'r'],
    ['が', 'か'],
    ['C3', 'C4'],
  ]
  for (const [one, other] of different)
    it(`tell “${one}” from “${other}”`, () => {
      expect(termsOf(one)).to.not.deep.equal(termsOf(other))
    })

  it('find a word inside of a text without spaces', () => {
    for (const [text, query] of [
      ['彼女は子猫を飼っている', '猫'],
      ['我住在北京市朝阳区', '北京'],
      ['コーヒーが好きです', 'コーヒー'],
      ['ฉันชอบกินข้าวผัด', 'ข้าว'],
      ['東京2024年', '2024'],
    ] as const) {
      const terms = new Set(termsOf(text))
      expect(
        queryTermsOf(query).some((term) => terms.has(term)),
        `${query} in ${text}: ${[...terms].join(' ')}`,
      ).to.equal(true)
    }
  })

  it('of a query leave out words that say nothing, unless there are no others', () => {
    expect(queryTermsOf('What is the name of my dentist?')).to.deep.equal(['nam', 'dentist'])
    expect(queryTermsOf('Where does she live, and what of him?')).to.deep.equal(termsOf('live'))
    expect(queryTermsOf('Wie heißt mein Zahnarzt und wo ist er?')).to.deep.equal(['heisst', 'zahnarzt'])
    expect(queryTermsOf('The Who')).to.deep.equal(['the', 'who'])
    expect(queryTermsOf('my son, my son')).to.deep.equal(['son'])
    expect(queryTermsOf('?!… ')).to.deep.equal([])
  })

  it('of a query are bounded', () => {
    expect(queryTermsOf(Array.from({ length: 500 }, (_, index) => `word${index}`).join(' '))).to.have.length(64)
  })

  it('are bounded in length, and never empty', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 300 }), (text) => {
        expect(termsOf(text).filter(({ length }) => length < 1 || length > 64)).to.deep.equal([])
      }),
      { numRuns: 100 },
    )
  })

  it('do not depend on how often a text was folded', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 100 }), (text) => {
        expect(termsOf(foldText(text))).to.deep.equal(termsOf(text))
      }),
      { numRuns: 100 },
    )
  })

  it('keep words of other alphabets as they are', () => {
    for (const word of ['книги', 'βιβλία', 'किताबें', 'naïves']) expect(stemWord(word)).to.equal(word)
  })
})
