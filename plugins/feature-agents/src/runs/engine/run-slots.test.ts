import { expect } from 'chai'
import type { RunEntry } from './run-entry.js'
import { createRunSlots } from './run-slots.js'

const entryOf = (userId: string, runId: string): RunEntry => ({ userId, runId, inParentsPlace: false }) as RunEntry

describe('the slots of runs', () => {
  it('go to the user with the fewest runs, not to the first one with many', () => {
    const begun: string[] = []
    const leave = new Map<string, () => void>()
    const slots = createRunSlots({
      limits: { maxConcurrent: 4, maxConcurrentPerUser: 3 },
      begin(entry) {
        begun.push(entry.runId)
        leave.set(entry.runId, slots.occupy(entry))
      },
    })
    for (let index = 0; index < 8; index += 1) slots.beginInTurn(entryOf('ada', `ada ${index}`))
    slots.beginInTurn(entryOf('eve', 'eve 0'))
    expect(begun).to.deep.equal(['ada 0', 'ada 1', 'ada 2', 'eve 0'])
    for (const name of ['bob 0', 'bob 1', 'bob 2']) slots.beginInTurn(entryOf('bob', name))
    leave.get('ada 0')?.()
    leave.get('ada 1')?.()
    leave.get('bob 0')?.()
    expect(begun.slice(4)).to.deep.equal(['bob 0', 'ada 3', 'bob 1'])
  })

  it('are never exceeded, for one user or for all', () => {
    const slots = createRunSlots({ limits: { maxConcurrent: 2, maxConcurrentPerUser: 1 }, begin: (entry) => void slots.occupy(entry) })
    const began = ['ada', 'ada', 'bob', 'eve'].map((userId, index) => slots.beginInTurn(entryOf(userId, `${index}`)))
    expect(began).to.deep.equal([true, false, true, false])
    expect(slots.hasRoom('ada')).to.equal(false)
    expect(slots.hasRoom('kim')).to.equal(false)
  })
})
