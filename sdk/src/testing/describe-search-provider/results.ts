import { strict as assert } from 'node:assert'
import type { SearchResult } from '../../contracts/search-provider/search-provider.js'
import { assertMembers } from '../settle-within.js'
import { aPage, type SearchTest } from './suite-bench.js'

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const unprintable = /[\u0000-\u001f\u007f-\u009f\u2028\u2029]/

/** RFC 3339, or a date. */
const timeForm = /^\d{4}-\d{2}-\d{2}(?:[Tt]\d{2}:\d{2}:\d{2}(?:\.\d+)?(?:[Zz]|[+-]\d{2}:\d{2}))?$/

const badAddresses = [
  ...['javascript:alert(1)', 'data:text/html,<p>x', 'file:///etc/passwd', 'ftp://example.org/', '/relative', 'page.html', '//example.org/'],
  ...['', 'https://', 'https://user:word@example.org/', 'mailto:a@example.org', 'blob:https://example.org/1'],
]

/** What a provider returns. */
export function describeResults(test: SearchTest): void {
  test('returns what was found, in its order, as plain data', async ({ finds, search }) => {
    finds([aPage(1, { publishedOn: '2026-01-31' }), aPage(2), aPage(3)])
    const results = await search()
    for (const result of results) assertMembers(result, ['url', 'title', 'snippet', 'publishedAt'], 'the result')
    assert.deepEqual(structuredClone(results), results)
    assert.deepEqual(
      results.map(({ url, title, snippet }) => ({ url, title, snippet })),
      [1, 2, 3].map((number) => aPage(number)),
    )
    const [first, ...others] = results.map(({ publishedAt }) => publishedAt)
    assert.ok(first === undefined || first.startsWith('2026-01-31'), `publishedAt is ${first}, and the page is of 2026-01-31`)
    assert.deepEqual(others, [undefined, undefined], 'the engine has no time for a page, and the result has one')
  })

  test('returns a time in the form of the contract, or none, whatever the engine writes', async ({ finds, search }) => {
    for (const publishedOn of ['2026-01-31', '3 days ago', '2026-13-45', '']) {
      finds([aPage(1, { publishedOn })])
      const [result] = await search()
      const { publishedAt } = result ?? assert.fail('the result is missing')
      if (publishedAt === undefined) continue
      const isTime = timeForm.test(publishedAt) && !Number.isNaN(Date.parse(publishedAt))
      assert.ok(isTime, `publishedAt is “${publishedAt}” for “${publishedOn}”; expected RFC 3339, a date or nothing`)
    }
  })

  test('returns no results as an answer', async ({ finds, search }) => {
    finds([])
    assert.deepEqual(await search(), [])
  })

  test('returns as many as asked for, if the engine has them, and never more', async ({ finds, search }) => {
    finds(Array.from({ length: 30 }, (_, index) => aPage(index)))
    for (const limit of [1, 3, 20]) assert.equal((await search({ limit })).length, limit, `of 30 pages, with a limit of ${limit}`)
    assert.deepEqual(
      (await search({ limit: 2 })).map(({ title }) => title),
      ['Page 0', 'Page 1'],
    )
  })

  test('names no page twice', async ({ finds, search }) => {
    finds([aPage(1), aPage(2), aPage(1, { title: 'Page 1 again' }), aPage(2, { url: `${aPage(2).url}#part` })])
    assert.deepEqual(
      (await search()).map(({ title }) => title),
      ['Page 1', 'Page 2'],
    )
  })

  test('keeps addresses whole, and pages apart that differ in a part of them', async ({ finds, search }) => {
    const urls = [
      'https://example.org/a?id=1',
      'https://example.org/a?id=2',
      'https://example.org/A?id=1',
      'http://example.org/b?x=%C3%BC&y#z',
    ]
    finds(urls.map((url, number) => aPage(number, { url })))
    assert.deepEqual(
      (await search()).map(({ url }) => url),
      urls,
    )
  })

  test('keeps the order of the engine, whatever the pages are', async ({ finds, search }) => {
    finds([
      aPage(3, { publishedOn: '2020-01-01' }),
      aPage(1, { publishedOn: '2026-01-01' }),
      aPage(2),
      aPage(4, { publishedOn: '2023-01-01' }),
    ])
    assert.deepEqual(
      (await search()).map(({ title }) => title),
      ['Page 3', 'Page 1', 'Page 2', 'Page 4'],
    )
  })

  test('keeps the letters of every script, and what they are made of', async ({ finds, search }) => {
    const written = 'Größe, наука, 天気, שלום, हिन्दी, 👩‍👩‍👧, e\u0301'
    finds([aPage(1, { title: written, snippet: written })])
    const [result] = await search()
    assert.deepEqual([result?.title, result?.snippet], [written, written])
  })

  for (const url of badAddresses) {
    test(`leaves out a result at “${url}”`, async ({ finds, search }) => {
      finds([aPage(1, { url }), aPage(2)])
      assert.deepEqual(
        (await search()).map((result) => result.url),
        [aPage(2).url],
      )
    })
  }

  test('makes plain text of one line of titles and snippets', async ({ finds, search }) => {
    const written = 'Weather\u0000 in <b class="hit">Ulm</b>\r\n\ttoday\u202e'
    finds([aPage(1, { title: written, snippet: written })])
    const [result] = await search()
    assert.ok(result, 'the result is missing')
    for (const text of [result.title, result.snippet]) {
      assert.ok(!unprintable.test(text), `control characters in ${JSON.stringify(text)}`)
      assert.ok(!/[<>\u202e]/.test(text), `markup or invisible characters in ${JSON.stringify(text)}`)
      assert.match(text, /^Weather in Ulm today$/)
    }
  })

  test('makes no line end of a character reference', async ({ finds, search }) => {
    const written = 'Weather&#10;in&#x0D;Ulm&#0;&#8232;today'
    finds([aPage(1, { title: written, snippet: written })])
    const [result] = await search()
    assert.ok(result, 'the result is missing')
    for (const text of [result.title, result.snippet]) assert.ok(!unprintable.test(text), `control characters in ${JSON.stringify(text)}`)
  })

  test('bounds titles and snippets, and fills in a missing title', async ({ finds, search }) => {
    finds([aPage(1, { title: 'word '.repeat(5_000), snippet: '🌦 '.repeat(50_000) }), aPage(2, { title: '', snippet: '' })])
    const results = await search()
    assert.equal(results.length, 2)
    for (const result of results) assertBounds(result)
  })
}

function assertBounds({ title, snippet }: SearchResult): void {
  assert.ok(title.trim() !== '' && title.length <= 300, `the title has ${title.length} characters`)
  assert.ok(snippet.length <= 2_000, `the snippet has ${snippet.length} characters`)
  assert.ok(!/\p{Surrogate}/u.test(title + snippet), 'a character was cut in two')
}
