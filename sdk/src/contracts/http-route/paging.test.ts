import { expect } from 'chai'
import { pageCursorError, pageOfList } from './paging.js'

describe('pageOfList', () => {
  const items = ['a', 'b', 'c', 'd', 'e'].map((id) => ({ id }))
  const page = (query: { readonly limit?: number; readonly cursor?: string }, list = items) => pageOfList(list, (item) => item.id, query)
  const ids = (result: ReturnType<typeof page>): string => result.items.map((item) => item.id).join('')

  it('gives every item once, and no cursor on the last page', () => {
    const first = page({ limit: 2 })
    const second = page({ limit: 2, cursor: first.next_cursor ?? '' })
    const third = page({ limit: 2, cursor: second.next_cursor ?? '' })
    expect([ids(first), ids(second), ids(third)]).to.deep.equal(['ab', 'cd', 'e'])
    expect(third.next_cursor).to.equal(null)
    expect(page({ limit: 5 }).next_cursor).to.equal(null)
    expect(page({}, []).next_cursor).to.equal(null)
  })

  it('goes on at the right place while items come and go', () => {
    const first = page({ limit: 2 })
    expect(ids(page({ limit: 2, cursor: first.next_cursor ?? '' }, [{ id: '0' }, ...items.slice(1)]))).to.equal('cd')
  })

  it('refuses a cursor that it did not give', () => {
    expect(() => page({ cursor: 'nonsense' }))
      .to.throw()
      .that.satisfies(pageCursorError.isInstance)
  })
})
