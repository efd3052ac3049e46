import { strict as assert } from 'node:assert'
import { checkSearchProvider } from '../../contracts/search-provider/check-search-provider.js'
import { assertSound, soundTitle } from '../assert-sound.js'
import { givenInput, type UncheckedRules } from '../unchecked-rules.js'
import type { EngineRequest } from './search-engine.js'
import { aPage, type SearchTest, suiteKey } from './suite-bench.js'
import type { SearchProviderSuiteOptions } from './suite-options.js'

const texts = ['"exact words" -without site:example.org', 'C++ & C# 50% off? a=b#c', 'größe 天気 🌦', 'x'.repeat(400)]

/** What a provider sends. */
export function describeQueries(test: SearchTest, { engine: dialect }: SearchProviderSuiteOptions, unchecked: UncheckedRules): void {
  test(soundTitle, ({ provider }) => assertSound(checkSearchProvider(provider)))

  test('sends the text as it is', async ({ engine, finds, search }) => {
    finds([])
    for (const text of texts) {
      await search({ text })
      assert.equal(dialect.read(lastOf(engine.requests)).text, text)
    }
  })

  test('sends the key in no address, and only if it needs one', async ({ engine, provider, finds, search }) => {
    finds([])
    await search()
    const [request] = engine.requests
    assert.ok(request, 'the engine was not asked')
    assert.ok(!request.path.includes(suiteKey), 'the key is in the address, where every server logs it')
    assert.equal(dialect.read(request).key, provider.keyVariable === undefined ? undefined : suiteKey, 'the key')
  })

  test('takes every freshness and language', async ({ finds, search }) => {
    finds([aPage(1)])
    for (const freshness of ['day', 'week', 'month', 'year'] as const) assert.equal((await search({ freshness })).length, 1, freshness)
    for (const language of ['de', 'en-GB', 'zh-Hant', 'gsw']) assert.equal((await search({ language })).length, 1, language)
  })

  if (dialect.freshness === undefined) unchecked.without('engine.freshness', 'the engine is told how new the pages must be')
  const freshnessOf = givenInput(dialect.freshness)
  if (freshnessOf)
    test('tells the engine how new the pages must be, and nothing if that was not asked for', async ({ engine, finds, search }) => {
      finds([])
      for (const freshness of ['day', 'week', 'month', 'year', undefined] as const) {
        await search(freshness === undefined ? {} : { freshness })
        assert.equal(freshnessOf(lastOf(engine.requests)), freshness, 'the freshness of the request')
      }
    })

  if (dialect.language === undefined) unchecked.without('engine.language', 'the engine is told the language of the pages')
  const languageOf = givenInput(dialect.language)
  if (languageOf)
    test('tells the engine the language of the pages', async ({ engine, finds, search }) => {
      finds([])
      for (const [language, name] of [
        ['de', 'de'],
        ['en-GB', 'en'],
      ] as const) {
        await search({ language })
        const told = languageOf(lastOf(engine.requests))
        assert.equal(told?.toLowerCase().split(/[-_]/)[0], name, `the language of the request for “${language}” is “${told}”`)
      }
    })

  test('asks anew each time, and keeps searches at the same time apart', async ({ engine, search }) => {
    engine.reply((request) => dialect.results([aPage(1, { title: `About ${dialect.read(request).text}` })]))
    const words = ['one', 'two', 'three', 'one']
    const found = await Promise.all(words.map((text) => search({ text })))
    assert.deepEqual(
      found.map(([result]) => result?.title),
      words.map((word) => `About ${word}`),
    )
    assert.equal(engine.requests.length, words.length, 'the number of requests')
  })

  test('uses the key of each search, and keeps none', async ({ engine, provider, finds, search }) => {
    if (provider.keyVariable === undefined) return
    finds([aPage(1)])
    await search()
    const connection = { apiKey: 'sk-suite-another', ...(provider.selfHosted === true && { baseUrl: engine.baseUrl }) }
    await provider.search({ text: 'after the key was changed', limit: 5 }, connection, { signal: new AbortController().signal })
    assert.equal(dialect.read(lastOf(engine.requests)).key, 'sk-suite-another')
  })

  test('does not change the query', async ({ finds, search }) => {
    finds([aPage(1)])
    const query = Object.freeze({ text: 'frozen', limit: 2, freshness: 'day', language: 'de' } as const)
    assert.equal((await search(query)).length, 1)
  })
}

const lastOf = (requests: readonly EngineRequest[]): EngineRequest => requests.at(-1) ?? assert.fail('the engine was not asked')
