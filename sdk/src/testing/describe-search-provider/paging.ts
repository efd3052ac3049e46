import { strict as assert } from 'node:assert'
import { givenInput, type UncheckedRules } from '../unchecked-rules.js'
import type { EnginePage } from './search-engine.js'
import { aPage, type SearchBench, type SearchTest } from './suite-bench.js'
import type { SearchEngineDialect, SearchEnginePaging } from './suite-options.js'

const limit = 20

/** What a provider makes of an engine that answers page by page. */
export function describePaging(test: SearchTest, { paging: given }: SearchEngineDialect, unchecked: UncheckedRules): void {
  if (given === undefined) unchecked.without('engine.paging', 'further pages are asked for until there are enough results, and no longer')
  const paging = givenInput(given)
  if (paging === undefined) return

  test('asks for further pages until it has as many as asked for', async ({ engine, search }) => {
    const all = Array.from({ length: 50 }, (_, number) => aPage(number))
    engine.reply((request) => {
      const { offset, count } = paging.range(request)
      return paging.results(all.slice(offset, offset + count), offset + count < all.length ? offset + count : undefined)
    })
    const titlesOf = (pages: readonly { readonly title: string }[]): readonly string[] => pages.map(({ title }) => title)
    assert.deepEqual(titlesOf(await search({ limit })), titlesOf(all.slice(0, limit)))
    assertRequests({ engine }, paging)
  })

  test('asks for no page after the last one', async ({ engine, search }) => {
    engine.reply(() => paging.results([aPage(1), aPage(2)], undefined))
    assert.equal((await search({ limit })).length, 2)
    assert.equal(engine.requests.length, 1, 'the number of requests')
  })

  const endless: Readonly<Record<string, readonly EnginePage[]>> = { 'the same again': [aPage(1), aPage(2)], nothing: [] }
  for (const [what, pages] of Object.entries(endless))
    test(`ends although further pages are always promised and bring ${what}`, async ({ engine, search }) => {
      engine.reply((request) => {
        const { offset, count } = paging.range(request)
        // Ends the search of a provider that would ask for ever.
        return engine.requests.length > limit + 1 ? { status: 500 } : paging.results(pages.slice(0, count), offset + count)
      })
      assert.ok((await search({ limit })).length <= pages.length, 'a page is named twice')
      assertRequests({ engine }, paging)
    })
}

/** As many as it takes if each page is full: the engine counts each one. */
function assertRequests({ engine: { requests } }: Pick<SearchBench, 'engine'>, { range }: SearchEnginePaging): void {
  const counts = requests.map((request) => range(request).count)
  const least = Math.max(1, Math.min(...counts))
  const most = Math.ceil(limit / least)
  assert.ok(
    requests.length <= most,
    `the engine was asked ${requests.length} times for ${limit} results in pages of ${least}; ${most} are enough`,
  )
}
