import { expect } from 'chai'
import type { JSX } from 'solid-js'
import { createApi } from '../api/create-api.js'
import { createQueries } from '../query/create-queries.js'
import { bringIntoSight, fakeApi, problem, render, screen, sendEvent, waitFor } from '../testing.js'
import { PagedRows } from './paged-rows.js'
import { EmptyState } from './states.js'

interface Roll {
  readonly id: string
  readonly name: string
}

interface Paths {
  '/api/rolls': {
    get: {
      parameters: { query?: { cursor?: string } }
      responses: { 200: { content: { 'application/json': { items: Roll[]; next_cursor: string | null } } } }
    }
  }
}

type RollEvent = { readonly event: 'roll.made'; readonly data: object }

const api = createApi<Paths>()
const { createPagedQuery } = createQueries<RollEvent>({ 'roll.made': () => [['rolls']] })

function Rolls(): JSX.Element {
  const list = createPagedQuery<Roll>({
    key: () => ['rolls'],
    read: (cursor, signal) => api.get('/api/rolls', { query: { ...(cursor !== undefined && { cursor }) }, signal }),
    idOf: ({ id }) => id,
  })
  return (
    <PagedRows list={list} label="Rolls" empty={<EmptyState title="No rolls yet" text="Roll a die." />}>
      {(roll) => <input aria-label={roll.name} />}
    </PagedRows>
  )
}

const rolls = (...names: readonly string[]): Roll[] => names.map((name) => ({ id: name, name }))
const page = (items: Roll[], next_cursor: string | null = null) => ({ items, next_cursor })
const shown = (): readonly (string | null)[] => screen.queryAllByRole('textbox').map((field) => field.getAttribute('aria-label'))

describe('PagedRows', () => {
  it('shows that it is loading, and then that there is nothing', async () => {
    const held = fakeApi<Paths>({ 'get /api/rolls': () => page([]) }).hold('get /api/rolls')
    render(() => <Rolls />)
    expect(screen.getByText('Loading').parentElement?.getAttribute('aria-busy')).to.equal('true')
    expect(screen.queryByText('No rolls yet')).to.equal(null)
    held.release()
    await screen.findByText('No rolls yet')
    expect(screen.queryByText('Loading')).to.equal(null)
  })

  it('has what comes next behind a button, which is busy meanwhile, until all of it is there', async () => {
    const service = fakeApi<Paths>({
      'get /api/rolls': ({ query }) => (query.cursor === undefined ? page(rolls('a', 'b'), 'next') : page(rolls('c'))),
    })
    const { user } = render(() => <Rolls />)
    const more = await screen.findByRole('button', { name: 'Load more' })
    const held = service.hold('get /api/rolls')
    await user.click(more)
    expect(more.getAttribute('aria-busy')).to.equal('true')
    expect(shown()).to.deep.equal(['a', 'b'])
    held.release()
    await waitFor(() => expect(shown()).to.deep.equal(['a', 'b', 'c']))
    expect(screen.queryByRole('button', { name: 'Load more' })).to.equal(null)
    expect(service.requests.map(({ query }) => query['cursor'])).to.deep.equal([undefined, 'next'])
  })

  it('loads what comes next when its end comes into sight', async () => {
    fakeApi<Paths>({
      'get /api/rolls': ({ query }) => (query.cursor === undefined ? page(rolls('a'), 'next') : page(rolls('b'))),
    })
    render(() => <Rolls />)
    bringIntoSight(await screen.findByRole('button', { name: 'Load more' }))
    await waitFor(() => expect(shown()).to.deep.equal(['a', 'b']))
  })

  it('says why it could not be read, and reads again when asked', async () => {
    const service = fakeApi<Paths>({ 'get /api/rolls': () => problem(503, 'unavailable', { detail: 'Not now.' }) })
    const { user } = render(() => <Rolls />)
    expect((await screen.findByRole('alert')).textContent).to.include('Not now.')
    service.answer({ 'get /api/rolls': () => page(rolls('a')) })
    await user.click(screen.getByRole('button', { name: 'Try again' }))
    await waitFor(() => expect(shown()).to.deep.equal(['a']))
    expect(screen.queryByRole('alert')).to.equal(null)
  })

  it('keeps what is there when what comes next could not be read, and goes on from there', async () => {
    const service = fakeApi<Paths>({
      'get /api/rolls': ({ query }) => (query.cursor === undefined ? page(rolls('a'), 'next') : problem(503, 'unavailable')),
    })
    const { user } = render(() => <Rolls />)
    await user.click(await screen.findByRole('button', { name: 'Load more' }))
    await screen.findByRole('alert')
    expect(shown()).to.deep.equal(['a'])
    service.answer({ 'get /api/rolls': ({ query }) => page(query.cursor === 'next' ? rolls('b') : []) })
    await user.click(screen.getByRole('button', { name: 'Try again' }))
    await waitFor(() => expect(shown()).to.deep.equal(['a', 'b']))
  })

  it('keeps the row of what has not changed, with what is typed in it', async () => {
    const service = fakeApi<Paths>({ 'get /api/rolls': () => page(rolls('a', 'b')) })
    const { user } = render(() => <Rolls />)
    const field = await screen.findByRole<HTMLInputElement>('textbox', { name: 'b' })
    await user.type(field, 'half a wor')
    service.answer({ 'get /api/rolls': () => page(rolls('new', 'a', 'b')) })
    sendEvent<RollEvent>('roll.made', {})
    await waitFor(() => expect(shown()).to.deep.equal(['new', 'a', 'b']))
    expect([document.activeElement, field.value]).to.deep.equal([field, 'half a wor'])
  })
})
