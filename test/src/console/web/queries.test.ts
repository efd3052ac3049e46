import { expect } from 'chai'
import type { Page } from 'playwright-core'
import { closeBrowser, openPage } from '../open-page.js'
import { bundleWebModules, openWebModules } from '../support/web-modules.js'

/** What each test has: answers that are given by hand, and what was asked for. */
const bench = `
  const { createRoot, createSignal } = web
  const asked = []
  const open = []
  const read = (...what) => new Promise((resolve, reject) => {
    asked.push(what.filter((each) => !(each instanceof AbortSignal)).join())
    open.push({ resolve, reject, signal: what.find((each) => each instanceof AbortSignal) })
  })
  const settled = () => new Promise((resolve) => setTimeout(resolve))
  const answer = async (value) => { open.shift().resolve(value); await settled() }
  const fail = async (message) => { open.shift().reject(new Error(message)); await settled() }
  /** Runs as a component does; the second one ends it. */
  const begin = (make) => createRoot((end) => [make(), end])
  /** As another tab does, which has the connection. */
  const deliver = async (event) => {
    void navigator.locks.request('console.events.me', () => new Promise(() => undefined))
    web.startEvents('me')
    new BroadcastChannel('console.events.me').postMessage({ kind: 'event', event })
  }
  const untilAsked = async (count) => { while (asked.length < count) await settled() }
`

describe('the query cache of the console', function () {
  this.timeout(60_000)
  let page: Page
  let code: string
  before(async () => {
    page = (await openPage({ url: 'http://console.localhost' })).page
    code = await bundleWebModules([
      'sdk/web/query/create-queries.ts',
      'sdk/web/query/rested.ts',
      'sdk/web/query/same-parts.ts',
      'sdk/web/query/key.ts',
      'sdk/web/api/stream.ts',
      'sdk/web/core/solid.ts',
    ])
  })
  beforeEach(() => openWebModules(page, code))
  after(() => closeBrowser())

  const run = (body: string): Promise<unknown> => page.evaluate(`(async () => { ${bench} ${body} })()`)

  it('reads once for all that use a key, and again for one that comes later', async () => {
    const found = await run(`
      const { createQuery } = web.createQueries()
      const use = () => begin(() => createQuery({ key: () => ['task', 1], read: () => read('task') }))
      const [first, endFirst] = use()
      const [second] = use()
      const before = [first.value(), first.isLoading(), second.isLoading()]
      await answer('as it is')
      const [third] = use()
      const shared = [first.value(), second.value(), third.value(), third.isLoading()]
      await answer('as it is now')
      endFirst()
      return [before, shared, [second.value(), third.isLoading()], asked]
    `)
    expect(found).to.deep.equal([
      [undefined, true, true],
      ['as it is', 'as it is', 'as it is', true],
      ['as it is now', false],
      ['task', 'task'],
    ])
  })

  it('reads nothing again when a key is made anew that is equal', async () => {
    const found = await run(`
      const { createQuery } = web.createQueries()
      const [filter, setFilter] = createSignal({ status: 'open', page: 1 })
      const [query] = begin(() => createQuery({ key: () => ['tasks', filter()], read: () => read(filter().status) }))
      await answer('open ones')
      setFilter({ page: 1, status: 'open' })
      const same = [query.value(), query.isLoading()]
      setFilter({ page: 1, status: 'done' })
      const other = [query.value(), query.isLoading()]
      return [same, other, asked]
    `)
    expect(found).to.deep.equal([
      ['open ones', false],
      ['open ones', true],
      ['open', 'done'],
    ])
  })

  it('forgets what nobody uses, and gives up its reading', async () => {
    const found = await run(`
      const { createQuery } = web.createQueries()
      const use = () => begin(() => createQuery({ key: () => ['task'], read: (signal) => read(signal) }))
      const [first, end] = use()
      const { signal } = open[0]
      end()
      const [second] = use()
      await answer('late')
      const before = second.value()
      await answer('new')
      return [signal.aborted, before, second.value()]
    `)
    expect(found).to.deep.equal([true, undefined, 'new'])
  })

  it('shows what was there until the value of another key has come', async () => {
    const found = await run(`
      const { createQuery } = web.createQueries()
      const [id, setId] = createSignal('a')
      const [query] = begin(() => createQuery({ key: () => ['task', id()], read: () => read(id()) }))
      await answer('A')
      setId('b')
      const between = [query.value(), query.isLoading()]
      await answer('B')
      const then = query.value()
      setId(undefined)
      return [between, then, asked]
    `)
    expect(found).to.deep.equal([['A', true], 'B', ['a', 'b', '']])
  })

  it('reads as its latest user says: what the first one means may have changed', async () => {
    const found = await run(`
      const { createQuery, invalidate } = web.createQueries()
      const [id, setId] = createSignal('a')
      const [moving] = begin(() => createQuery({ key: () => ['task', id()], read: () => read('moving', id()) }))
      const [staying] = begin(() => createQuery({ key: () => ['task', 'a'], read: () => read('staying', 'a') }))
      await answer('A')
      setId('b')
      await answer('B')
      invalidate(['task', 'a'])
      await untilAsked(3)
      await answer('A again')
      return [moving.value(), staying.value(), asked]
    `)
    expect(found).to.deep.equal(['B', 'A again', ['moving,a', 'moving,b', 'staying,a']])
  })

  it('reads again what an event changes, by the beginning of its key, and nothing else', async () => {
    const found = await run(`
      const { createQuery } = web.createQueries({ 'task.updated': ({ data }) => [['tasks'], ['task', data.id]] })
      begin(() => ['a', 'b'].map((id) => createQuery({ key: () => ['task', id], read: () => read(id) })))
      begin(() => createQuery({ key: () => ['tasks', { status: 'open' }], read: () => read('open') }))
      begin(() => createQuery({ key: () => ['tasks', 'form'], follow: false, read: () => read('form') }))
      begin(() => createQuery({ key: () => ['tasksmith'], read: () => read('other') }))
      while (open.length > 0) await answer('there')
      const before = asked.length
      await deliver({ id: '1', event: 'task.updated', data: { id: 'b' } })
      await untilAsked(before + 2)
      await settled()
      return asked.slice(before)
    `)
    expect(found).to.deep.equal(['b', 'open'])
  })

  it('does not read twice at a time, however many changes come, and once more after the last', async () => {
    const found = await run(`
      const { createQuery, invalidate } = web.createQueries()
      const [query] = begin(() => createQuery({ key: () => ['tasks'], read: () => read('tasks') }))
      await answer(1)
      for (let change = 0; change < 20; change++) invalidate(['tasks'])
      const atOnce = asked.length
      for (let change = 0; change < 20; change++) invalidate([])
      await answer(2)
      await untilAsked(3)
      await answer(3)
      return [atOnce, open.length, query.value()]
    `)
    expect(found).to.deep.equal([2, 0, 3])
  })

  it('keeps the value when it cannot be read again, and says why', async () => {
    const found = await run(`
      const { createQuery } = web.createQueries()
      const [query] = begin(() => createQuery({ key: () => ['task'], read: () => read('task') }))
      await answer('there')
      const again = query.reload()
      await fail('gone')
      await again
      const failed = [query.value(), query.error().message, query.isLoading()]
      query.set('known')
      return [failed, query.value(), query.error()]
    `)
    expect(found).to.deep.equal([['there', 'gone', false], 'known', undefined])
  })

  it('reads once more after a value that was set while an older one may have been on its way', async () => {
    const found = await run(`
      const { createQuery } = web.createQueries()
      const [query] = begin(() => createQuery({ key: () => ['task'], read: () => read('task') }))
      query.set('changed')
      await answer('older')
      await untilAsked(2)
      await answer('newest')
      return query.value()
    `)
    expect(found).to.equal('newest')
  })

  it('reads nothing without a key', async () => {
    const found = await run(`
      const { createQuery, createPagedQuery } = web.createQueries()
      const [[one, list]] = begin(() => [
        createQuery({ key: () => undefined, read: () => read('one') }),
        createPagedQuery({ key: () => undefined, read: () => read('list'), idOf: (id) => id }),
      ])
      await one.reload()
      await list.more()
      return [one.isLoading(), list.state(), list.hasMore(), asked]
    `)
    expect(found).to.deep.equal([false, 'loading', false, []])
  })

  it('grows a list by pages, and reads as many again as there were', async () => {
    const found = await run(`
      const { createPagedQuery } = web.createQueries()
      const [list] = begin(() => createPagedQuery({ key: () => ['l'], read: (cursor) => read(cursor ?? 'first'), idOf: ({ id }) => id }))
      const ids = () => list.items().map(({ id, at = '' }) => id + at).join()
      await answer({ items: [{ id: 'a' }, { id: 'b' }], next_cursor: '2' })
      const second = list.more()
      void list.more()
      await answer({ items: [{ id: 'c' }], next_cursor: '3' })
      await second
      const before = [ids(), list.hasMore()]
      const kept = list.items()[1]
      const again = list.reload()
      const during = [ids(), list.state()]
      await answer({ items: [{ id: 'new' }, { id: 'b' }], next_cursor: '2b' })
      await answer({ items: [{ id: 'c', at: 1 }], next_cursor: null })
      await again
      return [before, during, [ids(), list.hasMore(), list.items()[1] === kept], asked]
    `)
    expect(found).to.deep.equal([
      ['a,b,c', true],
      ['a,b,c', 'loading'],
      ['new,b,c1', false, true],
      ['first', '2', 'first', '2b'],
    ])
  })

  it('does not show an item twice that has moved to a later page', async () => {
    const found = await run(`
      const { createPagedQuery } = web.createQueries()
      const [list] = begin(() => createPagedQuery({ key: () => ['l'], read: (cursor) => read(cursor), idOf: ({ id }) => id }))
      await answer({ items: [{ id: 'a' }, { id: 'b' }], next_cursor: '2' })
      void list.more()
      await answer({ items: [{ id: 'a' }, { id: 'c' }], next_cursor: null })
      list.put({ id: 'c', changed: true })
      list.put({ id: 'd' })
      list.remove('b')
      return list.items()
    `)
    expect(found).to.deep.equal([{ id: 'd' }, { id: 'a' }, { id: 'c', changed: true }])
  })

  it('keeps the items of a list whose next page does not come', async () => {
    const found = await run(`
      const { createPagedQuery } = web.createQueries()
      const [list] = begin(() => createPagedQuery({ key: () => ['l'], read: (cursor) => read(cursor), idOf: ({ id }) => id }))
      await answer({ items: [{ id: 'a' }], next_cursor: '2' })
      void list.more()
      await fail('offline')
      const failed = [list.items().length, list.state(), list.error().message, list.hasMore()]
      void list.more()
      await answer({ items: [{ id: 'b' }], next_cursor: null })
      return [failed, list.items().length, list.state(), list.error()]
    `)
    expect(found).to.deep.equal([[1, 'failed', 'offline', true], 2, 'ready', undefined])
  })

  it('shares a value between modules, which is read when it is asked for', async () => {
    const found = await run(`
      const { sharedQuery, createQuery, invalidate } = web.createQueries({ 'agent.deleted': () => [['agents']] })
      const agents = sharedQuery({ key: ['agents'], initial: [], read: () => read('agents') })
      invalidate(['agents'])
      const before = [agents.value(), agents.isRead(), asked.length]
      const reading = agents.read()
      void agents.read()
      await answer(['one'])
      await reading
      const [inComponent] = begin(() => createQuery({ key: () => ['agents'], read: () => read('by the component') }))
      const seen = inComponent.value()
      await answer(['one', 'two'])
      agents.change((all) => [...all, 'three'])
      return [before, seen, agents.value(), inComponent.value(), asked]
    `)
    const all = ['one', 'two', 'three']
    expect(found).to.deep.equal([[[], false, 0], ['one'], all, all, ['agents', 'by the component']])
  })

  it('keeps the features apart: a key is one of its own', async () => {
    const found = await run(`
      const one = web.createQueries()
      const other = web.createQueries()
      begin(() => one.createQuery({ key: () => ['agents'], read: () => read('one') }))
      begin(() => other.createQuery({ key: () => ['agents'], read: () => read('other') }))
      begin(() => other.createPagedQuery({ key: () => ['agents'], read: () => read('list'), idOf: (id) => id }))
      return asked
    `)
    expect(found).to.deep.equal(['one', 'other', 'list'])
  })

  it('reads again after lost events', async () => {
    const found = await run(`
      const { createQuery } = web.createQueries()
      begin(() => createQuery({ key: () => ['a'], read: () => read('a') }))
      begin(() => createQuery({ key: () => ['form'], follow: false, read: () => read('form') }))
      while (open.length > 0) await answer('there')
      await deliver({ id: '', event: 'reset', data: {} })
      await untilAsked(3)
      await settled()
      return asked
    `)
    expect(found).to.deep.equal(['a', 'form', 'a'])
  })

  it('writes equal keys alike, whatever the order of their members', async () => {
    const found = await run(`return [
      web.keyText(['a', { one: 1, other: [2] }]) === web.keyText(['a', { other: [2], one: 1 }]),
      web.keyText(['a', 'b']) === web.keyText(['a\\nb']),
      web.keyText(['1']) === web.keyText([1]),
      ['a', 'ab'].map((first) => web.beginsWith(web.keyText([first, 1]), ['a'])),
      web.beginsWith(web.keyText(['a']), []),
    ]`)
    expect(found).to.deep.equal([true, false, false, [true, false], true])
  })

  it('makes a new value of the parts of the old one that are equal', async () => {
    const found = await run(`
      const before = { same: { deep: [1, { two: 2 }] }, changed: { left: [1], right: 1 }, gone: 1 }
      const after = web.withSameParts(before, { same: { deep: [1, { two: 2 }] }, changed: { left: [1], right: 2 } })
      const equal = web.withSameParts(before, structuredClone(before))
      return [after.same === before.same, after.changed === before.changed, after.changed.left === before.changed.left, after, equal === before,
        web.withSameParts([1, 2], [1]), web.withSameParts({ a: undefined }, { b: undefined }), web.withSameParts(undefined, null)]
    `)
    expect(found).to.deep.equal([
      true,
      false,
      true,
      { same: { deep: [1, { two: 2 }] }, changed: { left: [1], right: 2 } },
      true,
      [1],
      { b: undefined },
      null,
    ])
  })

  it('follows a signal once it rests', async () => {
    const found = await run(`
      const [search, setSearch] = createSignal('')
      const seen = []
      begin(() => {
        const rested = web.createRested(search, 1)
        web.createComputed(() => seen.push(rested()))
      })
      setSearch('a')
      setSearch('ab')
      while (seen.length < 2) await settled()
      return seen
    `)
    expect(found).to.deep.equal(['', 'ab'])
  })
})
