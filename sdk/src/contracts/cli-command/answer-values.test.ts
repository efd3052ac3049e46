import { expect } from 'chai'
import type { JsonValue } from '../../core/json.js'
import { listAll, listOf, objectOf, shownTime, textOf } from './answer-values.js'

describe('values of the API in commands', () => {
  it('are read as what a command expects, whatever came', () => {
    for (const value of [undefined, null, 7, 'x', ['x']]) expect(objectOf(value)).to.deep.equal({})
    for (const value of [undefined, null, 7, 'x', { a: 1 }]) expect(listOf(value)).to.deep.equal([])
    for (const value of [undefined, null, 7, {}]) expect(textOf(value)).to.equal('')
    expect([objectOf({ a: 1 }), listOf([{ a: 1 }]), textOf('x')]).to.deep.equal([{ a: 1 }, [{ a: 1 }], 'x'])
  })

  it('show times in UTC to the minute or the second, and none as nothing', () => {
    const time = '2026-01-02T03:04:05.678Z'
    expect([shownTime(time), shownTime(time, 'second'), shownTime(null)]).to.deep.equal(['2026-01-02 03:04', '2026-01-02 03:04:05', ''])
  })

  const pages: Readonly<Record<string, JsonValue>> = {
    '/api/things?limit=200&q=a': { items: [{ id: 1 }, { id: 2 }], next_cursor: 'next' },
    '/api/things?limit=200&q=a&cursor=next': { items: [{ id: 3 }], next_cursor: null },
    '/api/things?limit=2&q=a': { items: [{ id: 1 }, { id: 2 }], next_cursor: 'next' },
  }
  const request = async (_: string, path: string): Promise<JsonValue> => pages[path] ?? { items: [], next_cursor: null }

  it('are listed over all pages', async () => {
    expect(await listAll(request, '/api/things', { query: { q: 'a' } })).to.deep.equal({
      items: [{ id: 1 }, { id: 2 }, { id: 3 }],
      hasMore: false,
    })
  })

  it('are listed up to a number, and it is said that there are more', async () => {
    expect(await listAll(request, '/api/things', { query: { q: 'a' }, max: 2 })).to.deep.equal({
      items: [{ id: 1 }, { id: 2 }],
      hasMore: true,
    })
  })
})
