import { expect } from 'chai'
import fc from 'fast-check'
import { checkDocument, isDocumentId, maxDocumentBytes } from './check-document.js'

const reasonFor = (document: unknown): string => {
  try {
    checkDocument('tests.things', document)
  } catch (error) {
    expect(error).to.include({ code: 'document_invalid', status: 500 })
    return (error as Error).message
  }
  throw new Error('The document was accepted.')
}

/** An object inside objects: `levels` of them, the document included. */
const nested = (levels: number): object => {
  let value: object = {}
  for (let level = 2; level < levels; level++) value = { inner: value }
  return { id: 'a', inner: value }
}

describe('checkDocument', () => {
  it('keeps every JSON object as it is, as a frozen copy and as JSON', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string({ unit: 'grapheme' }), fc.jsonValue({ stringUnit: 'grapheme', maxDepth: 5 })), (members) => {
        fc.pre(!JSON.stringify(members).includes('"__proto__"'))
        const document = { ...members, id: 'a' }
        const checked = checkDocument('tests.things', document)
        const expected: unknown = JSON.parse(JSON.stringify(document))
        expect(checked.document).to.deep.equal(expected)
        expect(JSON.parse(checked.body)).to.deep.equal(expected)
        expect(checked.bytes).to.equal(Buffer.byteLength(checked.body))
      }),
    )
  })

  it('copies: later changes do not affect the copy, and the original is not frozen', () => {
    const given = { id: 'a', tags: ['one'] }
    const { document } = checkDocument('tests.things', given)
    given.tags.push('two')
    expect(document).to.deep.equal({ id: 'a', tags: ['one'] })
    expect(Object.isFrozen(document)).to.equal(true)
    expect(Object.isFrozen(document['tags'])).to.equal(true)
  })

  it('stores -0 as 0', () => {
    expect(Object.is(checkDocument('tests.things', { id: 'a', zero: -0 }).document['zero'], 0)).to.equal(true)
  })

  for (const [what, value, reason] of [
    ['undefined', undefined, 'undefined'],
    ['a Date', new Date(0), 'a Date'],
    ['a Map', new Map(), 'a Map'],
    ['a Set', new Set(), 'a Set'],
    ['a RegExp', /x/, 'a RegExp'],
    ['bytes', new Uint8Array(2), 'a Uint8Array'],
    ['a promise', Promise.resolve(), 'a Promise'],
    ['a BigInt', 1n, 'bigint'],
    ['a function', () => 1, 'function'],
    ['a symbol', Symbol('x'), 'symbol'],
    ['NaN', Number.NaN, 'NaN'],
    ['infinity', Number.POSITIVE_INFINITY, 'Infinity'],
    ['minus infinity', Number.NEGATIVE_INFINITY, 'Infinity'],
    ['a lone high surrogate', 'x\ud800', 'lone surrogate'],
    ['a lone low surrogate', '\udc00x', 'lone surrogate'],
    ['an object with a symbol member', { [Symbol('x')]: 1 }, 'symbol'],
    ['an object of a class', new (class Thing {})(), 'a Thing'],
    ['an array with members', Object.assign([1], { extra: 1 }), 'beside its items'],
  ] as const) {
    it(`refuses ${what}, with its path`, () => {
      const message = reasonFor({ id: 'a', list: [0, { member: value }] })
      expect(message).to.contain('list[1].member').and.to.contain(reason)
    })
  }

  it('refuses holes in arrays, with their path', () => {
    // biome-ignore lint/suspicious/noSparseArray: the hole is what is tested
    expect(reasonFor({ id: 'a', list: [1, , 3] }))
      .to.contain('list[1]')
      .and.to.contain('sparse')
    expect(reasonFor({ id: 'a', list: new Array(3) })).to.contain('list[0]')
  })

  it('refuses a name that would change the prototype, and ill-formed names', () => {
    expect(reasonFor(JSON.parse('{"id":"a","inner":{"__proto__":{"admin":true}}}'))).to.contain('inner.__proto__')
    expect(reasonFor({ id: 'a', 'x\ud800': 1 })).to.contain('lone surrogate')
  })

  it('refuses cycles, with that reason', () => {
    const document: Record<string, unknown> = { id: 'a' }
    document['self'] = { document }
    expect(reasonFor(document)).to.contain('refers to itself')
  })

  it('accepts 100 levels and refuses 101', () => {
    expect(checkDocument('tests.things', nested(100)).id).to.equal('a')
    expect(reasonFor(nested(101))).to.contain('deeper than 100 levels')
  })

  it('ends early on objects that share many parts', () => {
    let value: object = { end: true }
    for (let level = 0; level < 60; level++) value = { left: value, right: value }
    expect(reasonFor({ id: 'a', value })).to.contain('bytes as JSON')
  })

  it('accepts exactly 8 MiB of JSON and refuses one byte more', () => {
    const overhead = JSON.stringify({ id: 'a', text: '' }).length
    const text = 'x'.repeat(maxDocumentBytes - overhead)
    expect(checkDocument('tests.things', { id: 'a', text }).bytes).to.equal(maxDocumentBytes)
    expect(reasonFor({ id: 'a', text: `${text}x` })).to.contain('bytes as JSON')
    // In characters it is shorter than in bytes.
    expect(reasonFor({ id: 'a', text: 'é'.repeat(text.length / 2 + 1) })).to.contain(`more than ${maxDocumentBytes}`)
  })

  it('refuses values that are not objects', () => {
    for (const value of [undefined, null, 1, 'text', [], [{ id: 'a' }]]) expect(reasonFor(value)).to.contain('the document')
  })

  it('accepts ids of 1 to 200 bytes and refuses others', () => {
    for (const id of ['a', 'x'.repeat(200), '\u{1f600}'.repeat(50), '\0']) expect(checkDocument('tests.things', { id }).id).to.equal(id)
    for (const id of ['', 'x'.repeat(201), `${'\u{1f600}'.repeat(50)}x`, '\ud800', 7, null, undefined])
      expect(reasonFor({ id })).to.contain('id')
    expect(isDocumentId(undefined)).to.equal(false)
  })
})
