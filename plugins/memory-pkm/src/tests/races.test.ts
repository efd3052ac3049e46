import type { CollectionDefinition, Database } from '@agent-service/sdk/services/database'
import { expect } from 'chai'
import { shortMemory } from '../store/make-memory.js'
import { cursorCollection } from '../store/pass-records.js'
import { promptListsFor } from '../store/prompt-list.js'
import { memoryCollection } from '../store/records.js'
import { createUserMemories } from '../store/user-memories.js'
import { createVectorStore } from '../store/vectors.js'
import { lore } from '../test-support/lore.js'
import { ada, createWorld, none, openPkm } from '../test-support/open-pkm.js'
import { defaultSettings } from '../test-support/test-settings.js'

/** A database that tells of its queries. */
function watched(database: Database) {
  const hooks: {
    queried?: (collection: string, found: { readonly limit: number | undefined; readonly count: number }) => Promise<void>
  } = {}
  const collection = ((definition: CollectionDefinition) => {
    const inner = database.collection(definition)
    return {
      ...inner,
      async query(query: Parameters<typeof inner.query>[0]) {
        const page = await inner.query(query)
        await hooks.queried?.(definition.name, { limit: query.limit, count: page.items.length })
        return page
      },
    }
  }) as Database['collection']
  return { hooks, database: { ...database, collection } as Database }
}

describe('work on the memories of one user at a time', () => {
  it('brings nothing back that is erased meanwhile', async () => {
    const world = createWorld()
    const { hooks, database } = watched(world.database)
    const pkm = await openPkm(lore, { world: { ...world, database } })
    const { id } = await pkm.backend.remember({ userId: ada, scope: { kind: 'user' }, text: 'Likes tea.', key: 'k' }, none)
    let change: Promise<unknown> | undefined
    hooks.queried = async (name) => {
      // The erasure has found what it deletes next.
      if (name === memoryCollection.name) change ??= pkm.backend.change(id, { pinned: true }, { userId: ada, ...none })
    }
    await pkm.backend.erase(ada, none)
    expect(change).to.be.instanceOf(Promise)
    expect(await change).to.equal(undefined)
    expect(await pkm.export()).to.deep.equal([])
    await pkm.backend.remember({ userId: ada, scope: { kind: 'user' }, text: 'Likes milk.', key: 'l' }, none)
    expect(await pkm.texts()).to.deep.equal(['Likes milk.'])
    await pkm.dispose()
  })

  it('looks again at a user of whom a chat is reported as the sweep ends', async () => {
    const world = createWorld()
    const { hooks, database } = watched(world.database)
    const pkm = await openPkm(lore, { world: { ...world, database } })
    await pkm.chat('chat-1', ['Hello.'])
    await pkm.chat('chat-2', ['I live in Graz.'], { reported: false })
    let reported = false
    hooks.queried = async (name, { limit, count }) => {
      // The last look of a sweep, which has found nothing more to do.
      if (name !== cursorCollection.name || limit !== 1 || count > 0 || reported) return
      reported = true
      const at = new Date(pkm.clock.now()).toISOString()
      await pkm.backend.chatChanged({ userId: ada, chatId: 'chat-2', agentId: 'agent-1', spaceId: null, reason: 'messages', at }, none)
    }
    await pkm.sweep()
    expect(reported).to.equal(true)
    await pkm.clock.advance(3_600_000)
    await pkm.sweep()
    expect(await pkm.texts()).to.include('Lives in Graz.')
    await pkm.dispose()
  })
})

describe('the vectors of memories', () => {
  it('go with the texts that they were made of', async () => {
    const pkm = await openPkm()
    const remember = (text: string) => pkm.backend.remember({ userId: ada, scope: { kind: 'user' }, text, key: text }, none)
    const [forgotten, changed, kept] = [await remember('Likes tea.'), await remember('Likes milk.'), await remember('Likes rum.')]
    const vectors = createVectorStore(pkm.database)
    const vector = { hash: 'h', space: 's', vector: 'v' }
    await vectors.write(
      ada,
      [forgotten, changed, kept].map(({ id }) => ({ id, ...vector })),
    )
    await pkm.backend.forget(forgotten.id, { userId: ada, ...none })
    await pkm.backend.change(changed.id, { text: 'Likes beer.' }, { userId: ada, ...none })
    await pkm.backend.change(kept.id, { pinned: true }, { userId: ada, ...none })
    const left: string[] = []
    for await (const { id } of vectors.read(ada, none)) left.push(id)
    expect(left).to.deep.equal([kept.id])
    await pkm.dispose()
  })
})

describe('the room for the memories of a user', () => {
  it('is made by what was forgotten longest ago, also for what is learnt, and else there is none', async () => {
    const { database, clock } = createWorld()
    const limits = { maxUsers: 9, maxMemories: 99, maxOfUser: 3 }
    const memories = createUserMemories({ database, now: () => clock.now(), prompts: promptListsFor(defaultSettings), limits })
    const put = (id: string, forgotten = false) =>
      memories.change(
        ada,
        async (changes) => {
          const at = new Date(clock.now()).toISOString()
          changes.put({ ...shortMemory({ userId: ada, id, scope: { kind: 'user' }, text: id, at, evidence: [] }, 'fact'), forgotten })
        },
        none,
      )
    const known = async () => [...(await memories.view(ada, none)).memories.keys()].sort()
    for (const id of ['a', 'b', 'c']) await put(id)
    for (const id of ['b', 'a']) {
      await clock.advance(1_000)
      await put(id, true)
    }
    await put('d')
    expect(await known()).to.deep.equal(['a', 'c', 'd'])
    await put('e')
    expect(await known()).to.deep.equal(['c', 'd', 'e'])
    expect(await put('f').catch((error: unknown) => error)).to.have.property('code', 'memory_full')
    expect((await database.collection(memoryCollection).query({ index: 'by_user', equals: [ada] })).items).to.have.length(3)
    await put('c', true)
    expect(await known()).to.deep.equal(['c', 'd', 'e'])
  })
})

describe('the copies in memory', () => {
  it('go when they were not used for long', async () => {
    const { database, clock } = createWorld()
    let reads = 0
    const { hooks, database: counted } = watched(database)
    hooks.queried = async (name) => {
      if (name === memoryCollection.name) reads += 1
    }
    const memories = createUserMemories({ database: counted, now: () => clock.now(), prompts: promptListsFor(defaultSettings) })
    const view = () => memories.view(ada, none)
    await view()
    await clock.advance(800)
    await view()
    await clock.advance(800)
    memories.evictIdle(1_000)
    await view()
    expect(reads).to.equal(1)
    await clock.advance(1_001)
    memories.evictIdle(1_000)
    await view()
    expect(reads).to.equal(2)
  })
})
