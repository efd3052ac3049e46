import type { IndexValue } from '@agent-service/sdk/services/database'
import { expect } from 'chai'
import fc from 'fast-check'
import { encodeIndexKey, indexValueProblem, prefixEnd } from './index-key.js'

const text = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.string({ unit: fc.constantFrom('\0', '\u0001', 'a', 'ÿ', '\ud7ff', '\uffff', '\u{10000}', '\u{10ffff}') }),
)
const number = fc.oneof(
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.integer(),
  fc.constantFrom(0, -0, Number.MIN_VALUE, -Number.MIN_VALUE, Number.MAX_VALUE, -Number.MAX_VALUE, Number.MAX_SAFE_INTEGER),
)
const value: fc.Arbitrary<IndexValue> = fc.oneof(fc.constant(null), fc.boolean(), number, text)

const rankOf = (value: IndexValue): number => ['object', 'boolean', 'number', 'string'].indexOf(typeof value)

/** The order by its definition, without bytes: strings by code point. */
function compareValues(left: IndexValue, right: IndexValue): number {
  if (rankOf(left) !== rankOf(right)) return rankOf(left) - rankOf(right)
  if (typeof left === 'string' && typeof right === 'string') {
    const [leftPoints, rightPoints] = [[...left], [...right]].map((points) => points.map((point) => point.codePointAt(0) ?? 0))
    for (let index = 0; ; index++) {
      const [leftPoint, rightPoint] = [leftPoints?.[index], rightPoints?.[index]]
      if (leftPoint === undefined || rightPoint === undefined) return Number(leftPoint !== undefined) - Number(rightPoint !== undefined)
      if (leftPoint !== rightPoint) return leftPoint - rightPoint
    }
  }
  return Number(left) - Number(right)
}

function compareKeys(left: readonly IndexValue[], right: readonly IndexValue[]): number {
  for (let index = 0; index < Math.min(left.length, right.length); index++) {
    const order = compareValues(left[index] ?? null, right[index] ?? null)
    if (order !== 0) return order
  }
  return left.length - right.length
}

const within = (key: Uint8Array, lower: Uint8Array, upper: Uint8Array | undefined): boolean =>
  Buffer.compare(key, lower) >= 0 && (upper === undefined || Buffer.compare(key, upper) < 0)

describe('index keys', () => {
  it('are ordered as bytes in the order of their values', () => {
    const key = fc.array(value, { minLength: 1, maxLength: 3 })
    fc.assert(
      fc.property(key, key, (left, right) => {
        const bytes = Buffer.compare(encodeIndexKey(left), encodeIndexKey(right))
        expect(Math.sign(bytes)).to.equal(Math.sign(compareKeys(left, right)))
      }),
      { numRuns: 5000 },
    )
  })

  it('begin with the encoding of leading values exactly when these are equal', () => {
    fc.assert(
      fc.property(value, value, value, (first, second, other) => {
        const key = encodeIndexKey([first, second])
        const prefix = encodeIndexKey([other])
        expect(within(key, prefix, prefixEnd(prefix))).to.equal(compareValues(first, other) === 0)
      }),
      { numRuns: 5000 },
    )
  })

  it('have bounds that match the values', () => {
    fc.assert(
      fc.property(value, value, value, value, (user, time, from, to) => {
        const key = encodeIndexKey([user, time, 'more'])
        const inside = within(key, encodeIndexKey([user, from]), encodeIndexKey([user, to]))
        expect(inside).to.equal(compareValues(time, from) >= 0 && compareValues(time, to) < 0)
      }),
      { numRuns: 5000 },
    )
  })

  it('order strings by code point, where UTF-16 units would order otherwise', () => {
    const [last16, first32] = ['\uffff', '\u{10000}']
    expect(first32 < last16).to.equal(true)
    expect(Buffer.compare(encodeIndexKey([last16]), encodeIndexKey([first32]))).to.equal(-1)
  })

  it('have the bytes that stored data relies on', () => {
    const hex = (values: readonly IndexValue[]): string => Buffer.from(encodeIndexKey(values)).toString('hex')
    expect(hex([null, false, true])).to.equal('010203')
    expect(hex([1])).to.equal('04bff0000000000000')
    expect(hex([-1])).to.equal('04400fffffffffffff')
    expect(hex([0])).to.equal('048000000000000000')
    expect(hex([-0])).to.equal(hex([0]))
    expect(hex(['a\0b', 'é'])).to.equal('056100ff62000005c3a90000')
  })

  it('have an end after everything that begins with a prefix', () => {
    expect(prefixEnd(Uint8Array.of())).to.equal(undefined)
    expect(prefixEnd(Uint8Array.of(0xff, 0xff))).to.equal(undefined)
    expect(prefixEnd(Uint8Array.of(1, 0xff))).to.deep.equal(Uint8Array.of(2))
  })

  it('refuse values that are not scalars, and stored strings over 1,000 bytes', () => {
    for (const bad of [undefined, {}, [], 1n, Number.NaN, Number.POSITIVE_INFINITY, '\ud800']) {
      expect(indexValueProblem(bad, { stored: false })).to.be.a('string')
    }
    expect(indexValueProblem('x'.repeat(1000), { stored: true })).to.equal(undefined)
    expect(indexValueProblem('é'.repeat(500), { stored: true })).to.equal(undefined)
    expect(indexValueProblem('é'.repeat(501), { stored: true })).to.contain('1002 bytes')
    expect(indexValueProblem('é'.repeat(501), { stored: false })).to.equal(undefined)
  })
})
