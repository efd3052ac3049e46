import type { MemoryRecord } from '@agent-service/sdk/contracts/memory-backend'
import { expect } from 'chai'
import { promptTextOf, wholePromptTextOf } from '../memories/prompt-text.js'
import { freshMemory } from '../memories/records.js'
import { startBasic } from '../test-support/basic-bench.js'
import { memoryCollection, type StoredMemory } from './collections.js'
import { changedPromptList, promptListCollection, promptListOf } from './prompt-list.js'

const { signal } = new AbortController()
const userId = 'user-1'
const timeOf = (second: number): string => new Date(Date.parse('2025-12-01T00:00:00.000Z') + second * 1_000).toISOString()

async function* records(count: number): AsyncGenerator<MemoryRecord> {
  for (let index = 0; index < count; index += 1)
    yield {
      ...{ format: 1, id: `note-${index}`, scope: { kind: 'user' }, kind: 'note', text: `Likes the song number ${index}.`, pinned: false },
      ...{ createdAt: timeOf(index), updatedAt: timeOf(index), fadesAt: null, evidence: [] },
    }
}

/** Whole numbers below a bound, the same for the same seed. */
function randomOf(seed: number): (bound: number) => number {
  let state = seed
  return (bound) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * bound)
  }
}

function madeOf(random: (bound: number) => number): StoredMemory {
  const id = random(40)
  const [created, updated] = [random(30), 30 + random(60)]
  const scope = random(3) === 0 ? { kind: 'agent' as const, agentId: random(2) === 0 ? 'agent-1' : 'other' } : { kind: 'user' as const }
  return {
    ...freshMemory,
    ...{ id: `document-${id}`, user_id: userId, memory_id: `m${id}`, scope, kind: 'note', text: `Fact ${id} ${'x'.repeat(random(50))}` },
    ...{ created_at: timeOf(created), updated_at: timeOf(updated), evidence: [], pinned: random(6) === 0 },
    state: random(4) === 0 ? 'forgotten' : 'live',
  }
}

describe('the list for prompts of notes', () => {
  it('spares a prompt the reading of all notes, also after a restart and after changes', async () => {
    const { backend, database, reopen } = await startBasic()
    await backend.import(userId, records(120), { signal })
    await backend.remember({ userId, scope: { kind: 'user' }, text: 'Lives in Graz.', key: 'k' }, { signal })
    await backend.forget('note-119', { userId, signal })
    const next = await reopen()
    const collection = database.collection.bind(database)
    let queries = 0
    database.collection = ((definition: typeof memoryCollection) => {
      if (definition.name === memoryCollection.name) queries += 1
      return collection(definition)
    }) as typeof database.collection
    const lines = (await next.promptText({ userId, agentId: 'agent-1', maxTokens: 5_000 }, { signal }))?.split('\n') ?? []
    expect([lines[0], lines.at(-2), lines.at(-1)]).to.deep.equal([
      ...['- Likes the song number 0.', '- Likes the song number 118.', '- Lives in Graz.'],
    ])
    expect([lines.length, queries]).to.deep.equal([120, 0])
    await next.erase(userId, { signal })
    expect(await next.promptText({ userId, agentId: 'agent-1', maxTokens: 5_000 }, { signal })).to.equal(undefined)
  })

  it('keeps no word of what is forgotten, also where it ends', async () => {
    const { backend, database } = await startBasic()
    await backend.import(userId, records(900), { signal })
    const stored = async () => (await database.collection(promptListCollection).get(userId))?.list
    const last = (await stored())?.notes.until?.memory_id ?? 'none'
    await backend.forget(last, { userId, signal })
    expect(JSON.stringify(await stored()))
      .to.contain(`"memory_id":"${last}"`)
      .and.not.contain(`song number ${last.split('-')[1]}.`)
  })

  it('gives the same text as all notes, or says that it lacks some, over any changes', () => {
    let [answered, lacking] = [0, 0]
    for (let seed = 1; seed <= 60; seed += 1) {
      const random = randomOf(seed)
      const all = new Map<string, StoredMemory>()
      let list = promptListOf([], 900)
      for (let change = 0; change < 8; change += 1) {
        const put = Array.from({ length: random(12) }, () => madeOf(random))
        const taken = new Set(put.map(({ memory_id: id }) => id))
        const remove = [...all.values()].filter(({ memory_id: id }) => random(9) === 0 && !taken.has(id))
        for (const { memory_id: id } of remove) all.delete(id)
        for (const memory of put) all.set(memory.memory_id, memory)
        list = changedPromptList(list, { put, remove }, 900) ?? promptListOf(all.values(), 900)
        const maxTokens = 5 + random(110)
        const reader = { userId, agentId: 'agent-1' }
        const found = promptTextOf(list, reader, maxTokens)
        if (found === undefined) lacking += 1
        else {
          answered += 1
          expect(found.text, `seed ${seed}`).to.equal(wholePromptTextOf(all.values(), reader, maxTokens))
        }
      }
    }
    expect(answered).to.be.greaterThan(lacking)
    expect(lacking).to.be.greaterThan(0)
  })
})
