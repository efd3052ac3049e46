import { expect } from 'chai'
import { alternativesAlong } from './alternatives.js'
import { type Branch, forkedPath } from './branch.js'

const first: Branch = {
  ...{ id: 'one', chat_id: 'one', user_id: 'u', number: 1, fork: null, length: 6, created_at: '' },
  path: [{ branch_id: 'one', from: 0 }],
}

const forked = (owner: Branch, id: string, number: number, sequence: number, length: number): Branch => ({
  ...{ id, chat_id: 'one', user_id: 'u', number, fork: { branch_id: owner.id, sequence }, length, created_at: '' },
  path: forkedPath(owner.path, sequence, id),
})

const numbers = (way: Branch, branches: readonly Branch[], sequence: number) =>
  alternativesAlong(way.path, branches)(sequence)?.map(({ number }) => number)

describe('the alternatives to a message', () => {
  it('are the messages that follow the same one, from every branch', () => {
    const two = forked(first, 'two', 2, 2, 8)
    const three = forked(two, 'three', 3, 4, 6)
    const four = forked(first, 'four', 4, 4, 6)
    const all = [first, two, three, four]
    expect(all.map((way) => numbers(way, all, 2))).to.deep.equal(Array(4).fill([1, 2]))
    // In the same place, but behind other messages.
    expect(all.map((way) => numbers(way, all, 4))).to.deep.equal([
      [1, 4],
      [2, 3],
      [2, 3],
      [1, 4],
    ])
    expect(all.map((way) => numbers(way, all, 3))).to.deep.equal(Array(4).fill(undefined))
  })

  it('of the first message are all first messages of the chat', () => {
    const two = forked(first, 'two', 2, 0, 2)
    const all = [first, two, forked(first, 'three', 3, 0, 2)]
    expect(all.map((way) => numbers(way, all, 0))).to.deep.equal(Array(3).fill([1, 2, 3]))
    expect(numbers(two, all, 1)).to.equal(undefined)
  })

  it('exclude branches without a message of their own', () => {
    const empty = forked(first, 'two', 2, 2, 2)
    expect(numbers(first, [first, empty], 2)).to.equal(undefined)
    const three = forked(first, 'three', 3, 2, 3)
    expect(numbers(first, [first, empty, three], 2)).to.deep.equal([1, 3])
  })
})
