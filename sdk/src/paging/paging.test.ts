import { expect } from 'chai'
import type { Query } from '../services/database.js'
import { pageCursorError, pageOfIndex, pageOfList } from './paging.js'

describe('pageOfList', () => {
  const items = ['a', 'b', 'c', 'd', 'e'].map((id) => ({ id }))
  const page = (query: { readonly limit?: number; readonly cursor?: string }, list = items) => pageOfList(list, (item) => item.id, query)
  const ids = (result: ReturnType<typeof page>): string => result.items.map((item) => item.id).join('')

  it('returns every item once, and no cursor on the last page', () => {
    const first = page({ limit: 2 })
    const second = page({ limit: 2, cursor: first.next_cursor ?? '' })
    const third = page({ limit: 2, cursor: second.next_cursor ?? '' })
    expect([ids(first), ids(second), ids(third)]).to.deep.equal(['ab', 'cd', 'e'])
    expect(third.next_cursor).to.equal(null)
    expect(page({ limit: 5 }).next_cursor).to.equal(null)
    expect(page({}, []).next_cursor).to.equal(null)
  })

  it('continues correctly while items are added and removed', () => {
    const first = page({ limit: 2 })
    expect(ids(page({ limit: 2, cursor: first.next_cursor ?? '' }, [{ id: '0' }, ...items.slice(1)]))).to.equal('cd')
  })

  it('refuses a foreign cursor', () => {
    expect(() => page({ cursor: 'nonsense' }))
      .to.throw()
      .that.satisfies(pageCursorError.isInstance)
  })
})

describe('pageOfIndex', () => {
  const place = { index: 'by_user', equals: ['ada'], order: 'descending' } as const
  const asked: Query[] = []
  const collection = (nextCursor?: string) => ({
    async query(query: Query) {
      asked.push(query)
      return { items: [{ id: 'a' }], ...(nextCursor !== undefined && { nextCursor }) }
    },
  })
  beforeEach(() => asked.splice(0))

  it('returns the requested page, only of the given range', async () => {
    const query = { limit: 7, cursor: 'here', index: 'by_nothing', status: 'open' }
    await pageOfIndex(collection(), place, query)
    expect(asked).to.deep.equal([{ ...place, limit: 7, cursor: 'here' }])
  })

  it('returns the first 50 by default', async () => {
    await pageOfIndex(collection(), place, {})
    expect(asked).to.deep.equal([{ ...place, limit: 50 }])
  })

  it('has the next cursor, and null on the last page', async () => {
    expect(await pageOfIndex(collection('next'), place, {})).to.deep.equal({ items: [{ id: 'a' }], next_cursor: 'next' })
    expect(await pageOfIndex(collection(), place, {})).to.deep.equal({ items: [{ id: 'a' }], next_cursor: null })
  })
})
