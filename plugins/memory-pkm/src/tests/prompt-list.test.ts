import type { MemoryRecord } from '@agent-service/sdk/contracts/memory-backend'
import type { CollectionDefinition, Database } from '@agent-service/sdk/services/database'
import { expect } from 'chai'
import { promptTextOf, wholePromptTextOf } from '../read/prompt-text.js'
import { playbook, shortMemory, statement } from '../store/make-memory.js'
import { changedPromptList, promptListCollection, promptListOf, promptListsFor } from '../store/prompt-list.js'
import { memoryCollection, type StoredMemory } from '../store/records.js'
import { lore } from '../test-support/lore.js'
import { ada, createWorld, none, openPkm } from '../test-support/open-pkm.js'
import { defaultSettings } from '../test-support/test-settings.js'

const day = 86_400_000
const now = Date.parse('2026-03-01T00:00:00.000Z')

/** How often memories are queried in a database. */
function counted(database: Database) {
  const figures = { queries: 0 }
  const collection = ((definition: CollectionDefinition) => {
    const inner = database.collection(definition)
    if (definition.name !== memoryCollection.name) return inner
    return {
      ...inner,
      query(query: Parameters<typeof inner.query>[0]) {
        figures.queries += 1
        return inner.query(query)
      },
    }
  }) as Database['collection']
  return { figures, database: { ...database, collection } as Database }
}

async function* notes(count: number): AsyncGenerator<MemoryRecord> {
  for (let index = 0; index < count; index += 1) {
    const at = new Date(Date.parse('2025-12-01T00:00:00.000Z') + index * 1_000).toISOString()
    yield {
      ...{ format: 1, id: `note-${index}`, scope: { kind: 'user' }, kind: 'note', text: `Likes the song number ${index}.` },
      ...{ pinned: false, fadesAt: null, createdAt: at, updatedAt: at, evidence: [] },
    }
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
  const at = new Date(now - random(90) * day).toISOString()
  const scope = random(3) === 0 ? { kind: 'agent' as const, agentId: random(2) === 0 ? 'agent-1' : 'other' } : { kind: 'user' as const }
  const base = { userId: ada, id: `m${id}`, scope, text: `Fact ${id} ${'x'.repeat(random(60))}`, at, evidence: [] }
  const common = { pinned: id % 5 === 0 && random(2) === 0, forgotten: id % 4 === 0 && random(2) === 0 }
  const ends = random(3) === 0 ? new Date(now - random(90) * day + 45 * day).toISOString() : null
  const kind = random(5)
  if (kind === 0) return { ...playbook(base, { title: `Way ${id}`, when_to_use: 'Often' }), ...common }
  const parts = { page_id: 'p', property: 'likes', value: 'v', valid_from: null, valid_to: ends, confidence: 1, disputes: null }
  if (kind === 1) return { ...statement(base, parts), ...common }
  return { ...shortMemory(base, 'fact'), ...common, weight: random(2) === 0 ? 0.5 : 1, lasting: id % 7 === 0, valid_to: ends }
}

describe('the list for prompts', () => {
  it('spares a prompt the reading of all memories, also after a restart and after changes', async () => {
    const world = createWorld()
    const before = await openPkm([], { world })
    await before.backend.import(ada, notes(300), none)
    await before.backend.remember({ userId: ada, scope: { kind: 'user' }, text: 'Lives in Graz.', key: 'k' }, none)
    await before.backend.forget('note-299', { userId: ada, ...none })
    await before.dispose()
    const { figures, database } = counted(world.database)
    const after = await openPkm([], { world: { ...world, database } })
    const lines = (await after.backend.promptText({ userId: ada, agentId: 'agent-1', maxTokens: 5_000 }, none))?.split('\n')
    expect(lines?.slice(0, 4)).to.deep.equal([
      'Remembered:',
      ...['- Lives in Graz.', '- Likes the song number 298.', '- Likes the song number 297.'],
    ])
    expect(lines).to.have.length(17)
    expect(figures.queries).to.equal(0)
    await after.backend.erase(ada, none)
    expect(await after.backend.promptText({ userId: ada, agentId: 'agent-1', maxTokens: 5_000 }, none)).to.equal(undefined)
    await after.dispose()
  })

  it('has what a pass has learnt when its user is told of, before the sweep goes on', async () => {
    const pkm = await openPkm(lore, { settings: { pkm_consolidation_concurrency: 1 } })
    for (const userId of [ada, 'user-2']) await pkm.chat(`chat-of-${userId}`, ['I live in Graz.'], { userId })
    await pkm.chat('chat-3', ['Hello.'], { userId: 'user-3' })
    const told: string[] = []
    await pkm.backend.sweep?.({
      ...none,
      async changed(userId) {
        const prompts = [ada, 'user-2'].map((each) => pkm.backend.promptText({ userId: each, agentId: 'a', maxTokens: 100 }, none))
        told.push(`${userId}: ${(await Promise.all(prompts)).filter((text) => text?.includes('Graz')).length} of 2`)
      },
    })
    expect(told).to.deep.equal([`${ada}: 1 of 2`, 'user-2: 2 of 2'])
    await pkm.dispose()
  })

  it('keeps no word of what is forgotten, also where it ends', async () => {
    const pkm = await openPkm()
    await pkm.backend.import(ada, notes(60), none)
    const stored = async () => (await pkm.database.collection(promptListCollection).get(ada))?.list
    const last = (await stored())?.lines
    expect([last?.items.length, last?.items.at(-1)?.memory_id, last?.until?.memory_id]).to.deep.equal([40, 'note-20', 'note-20'])
    await pkm.backend.forget('note-20', { userId: ada, ...none })
    expect((await stored())?.lines.items).to.have.length(39)
    expect(JSON.stringify(await stored())).to.not.contain('song number 20.')
    await pkm.dispose()
  })

  it('gives the same text as all memories, or says that it lacks some, over any changes', () => {
    const settings = { ...defaultSettings, pkm_short_memory_top_n: 4, pkm_short_memory_token_cap: 60 }
    const options = { ...promptListsFor(settings), limits: { maxLines: 8, maxPlaybooks: 5 }, now }
    let [answered, lacking] = [0, 0]
    for (let seed = 1; seed <= 60; seed += 1) {
      const random = randomOf(seed)
      const all = new Map<string, StoredMemory>()
      let list = promptListOf([], options)
      for (let change = 0; change < 8; change += 1) {
        const puts = new Map(Array.from({ length: random(12) }, () => madeOf(random)).map((memory) => [memory.memory_id, memory]))
        for (const [id, memory] of puts) all.set(id, memory)
        list = changedPromptList(list, puts, options) ?? promptListOf(all.values(), options)
        const question = { userId: ada, agentId: 'agent-1', maxTokens: 5 + random(400), now: now + day }
        const found = promptTextOf(list, question, settings)
        if (found === undefined) lacking += 1
        else {
          answered += 1
          expect(found.text, `seed ${seed}`).to.equal(wholePromptTextOf(all.values(), question, settings))
        }
      }
    }
    expect(answered).to.be.greaterThan(lacking)
    expect(lacking).to.be.greaterThan(0)
  })

  it('is not used with another half-life than that by which it is ordered', () => {
    const memory = shortMemory(
      { userId: ada, id: 'm', scope: { kind: 'user' }, text: 'Tea.', at: new Date(now).toISOString(), evidence: [] },
      'fact',
    )
    const list = promptListOf([memory], { ...promptListsFor(defaultSettings), now })
    const question = { userId: ada, agentId: 'a', maxTokens: 100, now }
    expect(promptTextOf(list, question, defaultSettings)?.text).to.equal('Remembered:\n- Tea.')
    expect(promptTextOf(list, question, { ...defaultSettings, pkm_short_memory_half_life_secs: 60 })).to.equal(undefined)
  })
})
