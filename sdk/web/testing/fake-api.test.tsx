import { expect } from 'chai'
import { createSignal, type JSX, onCleanup, onMount, Show } from 'solid-js'
import { createApi } from '../api/create-api.js'
import { createEvents } from '../api/create-events.js'
import { onReturn } from '../api/on-return.js'
import { ApiProblem } from '../api/problem.js'
import { send } from '../api/send.js'
import { currentPath, currentQuery, navigate } from '../app/router.js'
import { currentProfile, isAdmin } from '../app/session.js'
import { withLock } from '../core/locks.js'
import { recall, remember } from '../core/storage.js'
import { language } from '../i18n/language.js'
import { zone } from '../i18n/zone.js'
import { createQueries } from '../query/create-queries.js'
import { announced, answer, endTest, fakeApi, offline, problem, render, screen, sendEvent, setConnection, waitFor } from '../testing.js'
import { confirmAction } from '../ui/dialog.js'
import { showToast } from '../ui/notices.js'

interface Paths {
  '/api/rolls': {
    get: {
      parameters: { query?: { limit?: number; tag?: string[] } }
      responses: { 200: { content: { 'application/json': { items: string[] } } } }
    }
    post: {
      requestBody: { content: { 'application/json': { name: string } } }
      responses: { 201: { content: { 'application/json': { id: string } } } }
    }
  }
  '/api/rolls/{id}': {
    get: { parameters: { path: { id: string } }; responses: { 200: { content: { 'application/json': { id: string } } } } }
    delete: { parameters: { path: { id: string } }; responses: { 204: object } }
  }
  '/api/rolls/latest': { get: { responses: { 200: { content: { 'application/json': { id: string } } } } } }
}

type RollEvent = { readonly event: 'roll.made'; readonly data: { readonly id: string } }

const api = createApi<Paths>()
const shared = createQueries().sharedQuery({
  key: ['rolls'],
  initial: [] as readonly string[],
  read: async () => (await api.get('/api/rolls')).items,
})

/** What a promise is rejected with. */
const failureOf = (promise: Promise<unknown>): Promise<Error> =>
  promise.then(
    () => expect.fail('It was not rejected.'),
    (error: Error) => error,
  )

describe('fakeApi', () => {
  it('gives handlers what was asked, records it, and answers as the service does', async () => {
    const service = fakeApi<Paths>({
      'get /api/rolls': ({ query }) => ({ items: [`at most ${query.limit}`] }),
      'post /api/rolls': ({ body }) => ({ id: body.name }),
      'delete /api/rolls/{id}': () => undefined,
    })
    expect(await api.get('/api/rolls', { query: { limit: 5 } })).to.deep.equal({ items: ['at most 5'] })
    expect(await api.post('/api/rolls', { body: { name: 'Ärger' }, idempotencyKey: 'key' })).to.deep.equal({ id: 'Ärger' })
    expect(await api.delete('/api/rolls/{id}', { path: { id: 'a/b' } })).to.equal(undefined)
    expect(service.requests.map(({ operation, address }) => [operation, address])).to.deep.equal([
      ['get /api/rolls', '/api/rolls?limit=5'],
      ['post /api/rolls', '/api/rolls'],
      ['delete /api/rolls/{id}', '/api/rolls/a%2Fb'],
    ])
    expect(service.requestsOf('delete /api/rolls/{id}').map(({ path }) => path.id)).to.deep.equal(['a/b'])
    expect(service.requestsOf('post /api/rolls')[0]?.headers.get('idempotency-key')).to.equal('key')
  })

  it('prefers the path that names more of what was asked for, and the latest answer', async () => {
    const service = fakeApi<Paths>({
      'get /api/rolls/{id}': ({ path }) => ({ id: path.id }),
      'get /api/rolls/latest': () => ({ id: 'the latest' }),
    })
    expect(await api.get('/api/rolls/latest')).to.deep.equal({ id: 'the latest' })
    expect(await api.get('/api/rolls/{id}', { path: { id: 'first' } })).to.deep.equal({ id: 'first' })
    service.answer({ 'get /api/rolls/latest': () => ({ id: 'a later one' }) })
    expect(await api.get('/api/rolls/latest')).to.deep.equal({ id: 'a later one' })
  })

  it('answers with problems in words, with headers, with a response, and not at all', async () => {
    const errors = [{ path: '/name', message: 'is too long' }]
    const service = fakeApi<Paths>({ 'get /api/rolls': () => problem(429, 'rate_limited', { detail: 'Later.', errors, retryAfter: 2 }) })
    const limited = await failureOf(api.get('/api/rolls'))
    expect(limited).to.be.instanceOf(ApiProblem).and.include({ status: 429, code: 'rate_limited', retryAfterMs: 2000 })
    service.answer({ 'get /api/rolls': () => offline() })
    expect(await failureOf(api.get('/api/rolls'))).to.include({ status: 0, code: 'offline' })
    service.answer({ 'get /api/rolls': () => answer({ items: [] }, { headers: { etag: '"1"' } }) })
    expect((await send('get', '/api/rolls')).headers.get('etag')).to.equal('"1"')
    service.answer({ 'get /api/rolls': () => new Response('a,b', { headers: { 'content-type': 'text/csv' } }) })
    expect(await (await send('get', '/api/rolls')).text()).to.equal('a,b')
  })

  it('holds answers back until they are released, or given up', async () => {
    const service = fakeApi<Paths>({ 'get /api/rolls': () => ({ items: [] }) })
    const held = service.hold('get /api/rolls')
    const controller = new AbortController()
    const [kept, givenUp] = [api.get('/api/rolls'), failureOf(api.get('/api/rolls', { signal: controller.signal }))]
    controller.abort()
    expect(await givenUp).to.include({ code: 'aborted' })
    held.release()
    expect(await kept).to.deep.equal({ items: [] })
    expect(await api.get('/api/rolls')).to.deep.equal({ items: [] })
    expect(service.requests).to.have.length(3)
  })

  it('fails the test for a request that was not expected, by its method and path, and for a handler that throws', async () => {
    const service = fakeApi<Paths>({ 'get /api/rolls': () => ({ items: [] }) })
    await failureOf(api.delete('/api/rolls/{id}', { path: { id: 'first' } }))
    expect((await failureOf(endTest())).message).to.equal('DELETE /api/rolls/first was not expected. The fake API answers get /api/rolls.')
    expect(service.requests).to.have.length(1)
    fakeApi<Paths>({ 'get /api/rolls': () => expect.fail('Not so.') })
    await failureOf(api.get('/api/rolls'))
    expect((await failureOf(endTest())).message).to.match(/^The handler of get \/api\/rolls threw: AssertionError: Not so\./)
    await failureOf(api.get('/api/rolls', { query: { limit: 5 } }))
    expect((await failureOf(endTest())).message).to.equal('GET /api/rolls?limit=5 was not expected: the test has no fakeApi.')
  })

  it('fails the test for an error that the page only reports', async () => {
    reportError(new Error('in a handler'))
    expect((await failureOf(endTest())).message).to.include('An error was reported: Error: in a handler')
    render(() => (
      <button
        type="button"
        onClick={() => {
          throw new Error('in a click')
        }}
      >
        Break
      </button>
    ))
    screen.getByRole('button', { name: 'Break' }).click()
    expect((await failureOf(endTest())).message).to.include('in a click')
    void Promise.reject(new Error('in a promise'))
    const told = (await failureOf(endTest())).message
    expect(told.split('An error was reported: Error: in a promise'), 'told once').to.have.length(2)
  })
})

/** Shows who looks at what, and what has happened. */
function Page(): JSX.Element {
  const [rolls, setRolls] = createSignal<readonly string[]>([])
  const add = (roll: string): void => void setRolls((before) => [...before, roll])
  onMount(() => onCleanup(createEvents<RollEvent>()('roll.made', ({ data }) => add(data.id))))
  onReturn(() => add('returned'))
  return (
    <>
      <p>
        {[
          currentProfile()?.name,
          isAdmin() ? 'administrates' : 'does not',
          language(),
          zone(),
          currentPath(),
          currentQuery().get('tab'),
        ].join(', ')}
      </p>
      <Show when={rolls().length > 0}>
        <output>{rolls().join(' ')}</output>
      </Show>
    </>
  )
}

describe('the page of a test', () => {
  it('is of a person at a place', async () => {
    render(() => <Page />)
    screen.getByText('Ada, does not, en, UTC, /,')
    await endTest()
    render(() => <Page />, { at: '/rolls/first?tab=all', admin: true, language: 'de', profile: { name: 'Bea', timezone: 'Europe/Berlin' } })
    screen.getByText('Bea, administrates, de, Europe/Berlin, /rolls/first, all')
    await navigate('/rolls')
    screen.getByText('Bea, administrates, de, Europe/Berlin, /rolls,')
  })

  it('gets events, and notices the connection that comes back', () => {
    render(() => <Page />)
    sendEvent<RollEvent>('roll.made', { id: 'first' })
    screen.getByText('first')
    setConnection('lost')
    setConnection('live')
    screen.getByText('first returned')
  })

  it('has toasts and questions beside the component', async () => {
    const { user } = render(() => <p>Rolls</p>)
    showToast('Done.')
    screen.getByText('Done.')
    await waitFor(() => expect(announced()).to.equal('Done.'))
    screen.getByText('Done.')
    const answered = confirmAction({ title: 'Delete it?', text: 'All of it.', action: 'Delete' })
    await user.keyboard('{Escape}')
    expect(await answered).to.equal(false)
    const again = confirmAction({ title: 'Delete it?', text: 'All of it.', action: 'Delete' })
    await user.click(screen.getByRole('button', { name: 'Delete' }))
    expect(await again).to.equal(true)
  })

  it('has locks, which one holds at a time, in the order in which they asked', async () => {
    const done: string[] = []
    let release = (): void => undefined
    const held = new Promise<void>((resolve) => {
      release = resolve
    })
    const first = withLock('rolls', () => held.then(() => void done.push('first')))
    const second = withLock('rolls', () => Promise.resolve(void done.push('second')))
    const givenUp = failureOf(withLock('rolls', () => Promise.resolve(), { signal: AbortSignal.abort(new Error('Not any more.')) }))
    await withLock('rolls', () => Promise.resolve(void done.push('if it was free')), { onlyIfFree: true })
    await withLock('other rolls', () => Promise.resolve(void done.push('another')))
    expect([(await givenUp).message, done]).to.deep.equal(['Not any more.', ['another']])
    await withLock('rolls', () => Promise.resolve(void done.push('after one that gave up')), { onlyIfFree: true })
    expect(done).to.deep.equal(['another'])
    release()
    await Promise.all([first, second])
    expect(done).to.deep.equal(['another', 'first', 'second'])
  })

  it('keeps nothing of a component that could not be made', async () => {
    expect(() =>
      render(() => {
        throw new Error('No rolls.')
      }),
    ).to.throw('No rolls.')
    await endTest()
    render(() => <p>Rolls</p>)
    void confirmAction({ title: 'Delete it?', text: 'All of it.', action: 'Delete' })
    expect(screen.getAllByRole('dialog')).to.have.length(1)
  })

  it('is left as it was found', async () => {
    const service = fakeApi<Paths>({ 'get /api/rolls': () => ({ items: ['first'] }) })
    await shared.read()
    expect([shared.value(), service.requests.length]).to.deep.equal([['first'], 1])
    remember('rolls.folded', 'yes')
    render(() => <Page />, { at: '/rolls', admin: true, language: 'de' })
    showToast('Done.')
    void confirmAction({ title: 'Delete it?', text: 'All of it.', action: 'Delete' })
    setTimeout(() => reportError(new Error('A timer of an earlier test ran.')), 0)
    await endTest()
    await waitFor(() => expect(document.body.innerHTML).to.equal(''))
    expect([recall('rolls.folded'), language(), currentProfile(), currentPath(), shared.isRead()]).to.deep.equal([
      ...[undefined, 'en', undefined, '/', false],
    ])
    render(() => <p>Rolls</p>)
    expect([screen.queryByText('Done.'), screen.queryByRole('dialog')]).to.deep.equal([null, null])
  })
})
