import { expect } from 'chai'
import type { StoredMemory } from '../store/collections.js'
import { makeRoom, memoryFullError } from './make-room.js'
import { forgottenMemory, memoryOf } from './records.js'

const at = (minute: number): string => new Date(Date.UTC(2026, 0, 1, 0, minute)).toISOString()
const live = (id: string): StoredMemory => memoryOf({ userId: 'u', scope: { kind: 'user' }, text: id, key: id }, id, at(0))
const forgotten = (id: string, minute: number): StoredMemory => forgottenMemory(live(id), at(minute))
const stored = (...memories: readonly StoredMemory[]) => new Map(memories.map((memory) => [memory.memory_id, memory]))
const ids = (memories: readonly StoredMemory[]) => memories.map(({ memory_id: id }) => id)

describe('the room for memories of one user', () => {
  it('is made by what was forgotten longest ago', () => {
    const memories = stored(live('a'), forgotten('b', 2), forgotten('c', 1), forgotten('d', 3))
    expect(makeRoom(memories, [live('e')], 5)).to.deep.equal([])
    expect(ids(makeRoom(memories, [live('e')], 4))).to.deep.equal(['c'])
    expect(ids(makeRoom(memories, [live('e'), live('f')], 4))).to.deep.equal(['c', 'b'])
    expect(ids(makeRoom(memories, [live('e'), live('c')], 4))).to.deep.equal(['b'])
    expect(makeRoom(memories, [live('a')], 3)).to.deep.equal([])
  })

  it('is refused when nothing forgotten is left to give way', () => {
    const memories = stored(live('a'), live('b'), forgotten('c', 1))
    expect(() => makeRoom(memories, [live('d'), live('e')], 3))
      .to.throw()
      .that.satisfies((error: unknown) => memoryFullError.isInstance(error))
  })
})
