import { expect } from 'chai'
import { eventNumbersExhaustedError } from './errors.js'
import { createEventNumbers, eventNumber, numbersPerRevision } from './event-numbers.js'

describe('createEventNumbers', () => {
  it('begins above all numbers of an earlier process', () => {
    const earlier = createEventNumbers({ revision: 4, reserve: async () => undefined })
    earlier.ofCommitted(5, 0)
    for (let count = 0; count < 100; count += 1) earlier.nextForDelta()
    const later = createEventNumbers({ revision: 6, reserve: async () => undefined })
    expect(later.last()).to.be.greaterThan(earlier.last())
  })

  it('gives deltas the numbers between two commits, so that all grow', () => {
    const numbers = createEventNumbers({ revision: 1, reserve: async () => undefined })
    const given = [
      numbers.nextForDelta(),
      numbers.ofCommitted(2, 0).number,
      numbers.ofCommitted(2, 1).number,
      numbers.nextForDelta(),
      numbers.nextForDelta(),
      numbers.ofCommitted(9, 0).number,
      numbers.nextForDelta(),
    ]
    const base = numbersPerRevision
    expect(given).to.deep.equal([base + 1, 2 * base, 2 * base + 1, 2 * base + 2, 2 * base + 3, 9 * base, 9 * base + 1])
  })

  it('reports a commit out of order, and never goes back', () => {
    const numbers = createEventNumbers({ revision: 1, reserve: async () => undefined })
    numbers.ofCommitted(7, 0)
    expect(numbers.ofCommitted(6, 0).inOrder).to.equal(false)
    expect(numbers.last()).to.equal(eventNumber(7, 0))
    expect(numbers.nextForDelta()).to.equal(eventNumber(7, 1))
  })

  it('reserves a new block once when half of one is used up, and continues in it', () => {
    let reservations = 0
    const numbers = createEventNumbers({ revision: 1, reserve: async () => void reservations++ })
    for (let count = 0; count < numbersPerRevision / 2 - 1; count += 1) numbers.nextForDelta()
    expect(reservations).to.equal(0)
    for (let count = 0; count < 10; count += 1) numbers.nextForDelta()
    expect(reservations).to.equal(1)
    numbers.advance(5)
    expect(numbers.nextForDelta()).to.equal(eventNumber(5, 1))
  })

  it('never gives a delta a number of the next commit: an exhausted block ends, and a new one is requested again', async () => {
    let reservations = 0
    const numbers = createEventNumbers({ revision: 1, reserve: async () => void reservations++ })
    for (let count = 0; count < numbersPerRevision - 1; count += 1) numbers.nextForDelta()
    expect(numbers.last()).to.equal(eventNumber(2, 0) - 1)
    expect(numbers.nextForDelta()).to.equal(undefined)
    expect(numbers.nextForDelta()).to.equal(undefined)
    expect(reservations).to.equal(1)
    await Promise.resolve()
    expect(numbers.nextForDelta()).to.equal(undefined)
    expect(reservations).to.equal(2)
    expect(numbers.ofCommitted(2, 0)).to.deep.equal({ number: eventNumber(2, 0), inOrder: true })
  })

  it('refuses numbers that are not exact in JSON', () => {
    expect(Number.isSafeInteger(eventNumber(2 ** 33 - 1, numbersPerRevision - 1))).to.equal(true)
    expect(() => eventNumber(2 ** 33, 0))
      .to.throw()
      .that.satisfies(eventNumbersExhaustedError.isInstance)
  })
})
