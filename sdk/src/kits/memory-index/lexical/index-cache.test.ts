import { expect } from 'chai'
import { createIndexCache, type IndexCacheOptions } from './index-cache.js'
import type { MemoryDocument } from './memory-index.js'

/** Stored documents of users, and how often they were loaded. */
function createStore() {
  const users = new Map<string, { version: number; readonly documents: Map<string, MemoryDocument> }>()
  const loads: string[] = []
  const userOf = (userId: string) => {
    const user = users.get(userId) ?? { version: 0, documents: new Map() }
    users.set(userId, user)
    return user
  }
  return {
    loads,
    write(userId: string, ...documents: readonly MemoryDocument[]) {
      const user = userOf(userId)
      for (const document of documents) user.documents.set(document.id, document)
      user.version += 1
      return { version: user.version, put: documents }
    },
    load: async (userId: string) => {
      loads.push(userId)
      const { version, documents } = userOf(userId)
      return { version, documents: [...documents.values()] }
    },
    versionOf: async (userId: string) => userOf(userId).version,
  }
}

const { signal } = new AbortController()
const open = (options: Partial<IndexCacheOptions> = {}) => {
  const store = createStore()
  const cache = createIndexCache({ load: store.load, versionOf: store.versionOf, signal, ...options })
  const find = async (userId: string, text: string) => (await cache.open(userId, { signal })).search(text, { limit: 9 }).map(({ id }) => id)
  return { store, cache, find }
}

describe('the cache of indices', () => {
  it('loads a user once, also for searches at a time', async () => {
    const { store, find } = open()
    store.write('ada', { id: '1', text: 'tea' })
    expect(await Promise.all([find('ada', 'tea'), find('ada', 'tea'), find('bob', 'tea')])).to.deep.equal([['1'], ['1'], []])
    await find('ada', 'tea')
    expect(store.loads).to.deep.equal(['ada', 'bob'])
  })

  it('takes changes in without loading again', async () => {
    const { store, cache, find } = open()
    store.write('ada', { id: '1', text: 'tea' })
    await find('ada', 'tea')
    cache.changed('ada', store.write('ada', { id: '2', text: 'green tea' }))
    expect(await find('ada', 'green')).to.deep.equal(['2'])
    cache.changed('ada', { version: store.write('ada').version, remove: ['1'] })
    expect(await find('ada', 'tea')).to.deep.equal(['2'])
    expect(store.loads).to.deep.equal(['ada'])
  })

  it('loads again after a change that it was not told of, or of which one is missing', async () => {
    const { store, cache, find } = open()
    store.write('ada', { id: '1', text: 'tea' })
    await find('ada', 'tea')
    store.write('ada', { id: '2', text: 'green tea' })
    expect(await find('ada', 'green')).to.deep.equal(['2'])
    store.write('ada', { id: '3', text: 'black tea' })
    cache.changed('ada', store.write('ada', { id: '4', text: 'white tea' }))
    expect(await find('ada', 'black')).to.deep.equal(['3'])
    expect(store.loads).to.deep.equal(['ada', 'ada', 'ada'])
  })

  it('loads again for a change that was committed while it loaded', async () => {
    const store = createStore()
    let during: (() => void) | undefined = () => void store.write('ada', { id: '2', text: 'green tea' })
    const cache = createIndexCache({
      signal,
      versionOf: store.versionOf,
      async load(userId) {
        const loaded = await store.load(userId)
        during?.()
        during = undefined
        return loaded
      },
    })
    await cache.open('ada', { signal })
    expect((await cache.open('ada', { signal })).search('green', { limit: 1 })).to.have.length(1)
  })

  it('forgets what it knows of a user whose documents begin anew', async () => {
    const { store, cache, find } = open()
    for (const id of ['1', '2', '3']) store.write('ada', { id, text: 'tea' })
    await find('ada', 'tea')
    cache.invalidate('ada')
    expect(cache.users).to.equal(0)
    await find('ada', 'tea')
    expect(store.loads).to.have.length(2)
  })

  it('keeps the users who searched last, within both limits', async () => {
    const { store, cache, find } = open({ maxUsers: 2, maxDocuments: 4 })
    for (const user of ['ada', 'bob', 'cy']) store.write(user, { id: '1', text: 'tea' }, { id: '2', text: 'tea' })
    for (const user of ['ada', 'bob', 'ada', 'cy']) await find(user, 'tea')
    expect([cache.users, cache.documents]).to.deep.equal([2, 4])
    await find('ada', 'tea')
    expect(store.loads).to.deep.equal(['ada', 'bob', 'cy'])
    store.write('dot', ...['1', '2', '3', '4', '5'].map((id) => ({ id, text: 'tea' })))
    expect(await find('dot', 'tea')).to.have.length(4)
    expect([cache.users, cache.documents]).to.deep.equal([1, 4])
  })

  it('drops indices that were not used for a while', async () => {
    const { cache, find } = open()
    await find('ada', 'tea')
    cache.evictIdle(60_000)
    expect(cache.users).to.equal(1)
    cache.evictIdle(-1)
    expect(cache.users).to.equal(0)
  })

  it('passes failures of loads on and tries again', async () => {
    const store = createStore()
    store.write('ada', { id: '1', text: 'tea' })
    const failure = new Error('the disk is tired')
    let fails = true
    const cache = createIndexCache({
      signal,
      versionOf: store.versionOf,
      load: async (userId) => (fails ? Promise.reject(failure) : store.load(userId)),
    })
    expect(await cache.open('ada', { signal }).catch((error: unknown) => error)).to.equal(failure)
    fails = false
    expect((await cache.open('ada', { signal })).size).to.equal(1)
    expect(await cache.open('ada', { signal: AbortSignal.abort(failure) }).catch((error: unknown) => error)).to.equal(failure)
  })
})
