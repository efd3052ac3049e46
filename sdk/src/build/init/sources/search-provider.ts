import { snakeCaseOf, wordOf } from './names.js'
import type { PluginSources } from './plugin-sources.js'

/** An engine that is asked over HTTP. */
export const searchProviderSources = (id: string): PluginSources => {
  const word = wordOf(id, 'search')
  return {
    index: indexText(id, word),
    test: testText(word),
  }
}

const indexText = (id: string, word: string): string => `import { definePlugin, Type } from '@agent-service/sdk'
import { defineSearchProvider, searchProviders, searchUnavailableError } from '@agent-service/sdk/contracts/search-provider'
import { askSearchEngine, type FoundPage, searchResultsOf } from '@agent-service/sdk/search'

const title = 'An engine'

/** \`baseUrl\` is another one in tests. */
export const createSearch = ({ baseUrl = 'https://search.example' } = {}) =>
  defineSearchProvider({
    id: '${word}',
    title,
    keyVariable: '${snakeCaseOf(word).toUpperCase()}_API_KEY',
    async search({ text, limit }, { apiKey = '' }, { signal }) {
      const url = new URL(\`/find?\${new URLSearchParams({ q: text, n: String(limit) })}\`, baseUrl)
      const answer = await askSearchEngine({ provider: title, url, headers: { authorization: \`Bearer \${apiKey}\` } }, { signal })
      const { pages } = (answer ?? {}) as { readonly pages?: readonly FoundPage[] }
      if (!Array.isArray(pages)) throw searchUnavailableError.create({ provider: title, reason: 'its answer has no results' })
      return { results: searchResultsOf(pages, { limit }) }
    },
  })

export default definePlugin({
  manifest: {
    id: '${id}',
    apiVersion: 1,
    contributes: ['search.provider'],
    config: Type.Object({ base_url: Type.String({ default: 'https://search.example', format: 'uri' }) }),
    // Makes the id of the provider a value of \`search.provider\` in the configuration.
    extends: [{ section: 'search', place: 'provider', variant: '${word}', schema: Type.Object({}) }],
    permissions: [{ kind: 'network', targetsFromConfiguration: ['/base_url'], reason: 'Sends searches to the engine.' }],
  },
  setup: (context) => context.contribute(searchProviders, createSearch({ baseUrl: context.config.base_url })),
})
`

const testText = (word: string): string => `import assert from 'node:assert/strict'
import * as runner from 'node:test'
import { searchProviders } from '@agent-service/sdk/contracts/search-provider'
import { createTestContext, describeSearchProvider } from '@agent-service/sdk/testing'
import plugin, { createSearch } from './index.js'

// Every rule of the contract, against a local engine that speaks as this says.
describeSearchProvider({
  name: '${word}',
  create: (baseUrl) => createSearch({ baseUrl }),
  engine: {
    results: (pages) => ({ body: JSON.stringify({ pages }) }),
    read: ({ path, headers }) => ({
      text: new URL(path, 'http://localhost').searchParams.get('q') ?? '',
      key: String(headers['authorization']).replace('Bearer ', ''),
    }),
    // Say here how the engine speaks of pages, freshness and language once the provider uses them.
    paging: 'not applicable',
    freshness: 'not applicable',
    language: 'not applicable',
  },
  runner,
})

runner.it('is set up', async () => {
  const test = createTestContext(plugin)
  await test.setup()
  assert.deepEqual(test.contributed(searchProviders).map(({ id }) => id), ['${word}'])
  await test.dispose()
})
`
