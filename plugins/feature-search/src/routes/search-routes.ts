import { namedObject, ServiceError, type Static, Type } from '@agent-service/sdk'
import { defineRoute, type HttpRoute, ok, type RouteRequest } from '@agent-service/sdk/contracts/http-route'
import type { Audit } from '@agent-service/sdk/services/audit'
import type { Clock } from '@agent-service/sdk/services/clock'
import type { WebSearch } from '../searching/web-search.js'
import type { ProviderChoice } from '../selection/choose-provider.js'
import type { ProviderSelection } from '../selection/provider-selection.js'

const tags = ['search']
const orNull = (description: string, example?: string) =>
  Type.Union([Type.String(), Type.Null()], { description, ...(example !== undefined && { examples: [example] }) })

const providerSchema = namedObject('SearchProviderState', {
  id: Type.String({ description: 'The value of `search.provider`.', examples: ['hosted_b'] }),
  title: orNull('For people.', 'Brave Search'),
  available: Type.Boolean({ description: 'Whether it could be used now.' }),
  reason: orNull('Why not.', 'Brave Search needs the variable BRAVE_API_KEY, which is not set'),
})

const stateSchema = namedObject('SearchState', {
  available: Type.Boolean({ description: 'Whether agents can search the web: they have the tool `web_search`.' }),
  provider: orNull('The provider that searches go to, or that is configured and cannot be used.', 'hosted_a'),
  title: orNull('Its name for people.', 'Tavily'),
  reason: orNull('Why agents cannot search.', 'Tavily needs the variable TAVILY_API_KEY, which is not set'),
  providers: Type.Array(providerSchema, { description: 'All that could be configured.' }),
})

const resultSchema = namedObject('SearchResult', {
  url: Type.String({ examples: ['https://www.ulm.example/'] }),
  title: Type.String({ examples: ['City of Ulm'] }),
  snippet: Type.String({ examples: ['Opening hours of the town hall …'] }),
  published_at: orNull('When the page was published, by the provider.', '2026-01-31'),
})

const testSchema = namedObject('SearchTest', {
  ok: Type.Boolean({ description: 'Whether the provider has answered.' }),
  provider: orNull('The provider that was asked.', 'hosted_a'),
  title: orNull('Its name for people.', 'Tavily'),
  took_ms: Type.Integer({ minimum: 0, examples: [640] }),
  code: orNull('The code of the failure.', 'search_unauthorized'),
  error: orNull('What went wrong.'),
  results: Type.Array(resultSchema, { description: 'What was found, at most three.' }),
})

const usualQuery = 'weather'

const bodySchema = Type.Object({
  query: Type.Optional(
    Type.String({
      ...{ minLength: 1, maxLength: 400, pattern: '\\S', examples: ['town hall of Ulm'] },
      description: `What to look for. Default “${usualQuery}”.`,
    }),
  ),
})

/** What people see of web search, and the test for administrators. */
export function createSearchRoutes(dependencies: {
  readonly selection: ProviderSelection
  readonly search: Pick<WebSearch, 'test'>
  readonly audit: Pick<Audit, 'note'>
  readonly clock: Pick<Clock, 'monotonic'>
}): readonly HttpRoute[] {
  const { selection, search, audit, clock } = dependencies
  return [
    defineRoute({
      method: 'GET',
      path: '/api/search',
      operationId: 'getSearchState',
      summary: 'Say whether agents can search the web',
      tags,
      auth: 'user',
      answers: { 200: { description: 'The state.', schema: stateSchema } },
      handle: async () => ok({ ...stateOf(selection.choose()), providers: selection.list().map(viewOf) }),
    }),
    defineRoute({
      method: 'POST',
      path: '/api/admin/search/test',
      operationId: 'testSearch',
      summary: 'Search the web once, to test the configuration',
      description: 'Asks the provider at once, without the cache and without retries. It counts as a search of the caller.',
      tags,
      auth: 'admin',
      rateClass: 'expensive',
      body: { kind: 'json', schema: bodySchema },
      answers: { 200: { description: 'What came of it.', schema: testSchema } },
      async handle(request) {
        const { query = usualQuery } = request.body as Static<typeof bodySchema>
        const { id = null, title = null } = selection.choose()
        await audit.note({ kind: 'search.tested', details: { provider: id ?? '' } })
        const begin = clock.monotonic()
        const outcome = await outcomeOf(() =>
          search.test({ text: query.trim(), limit: 3 }, { userId: userOf(request), signal: request.signal }),
        )
        return ok({ provider: id, title, took_ms: Math.round(clock.monotonic() - begin), ...outcome })
      },
    }),
  ]
}

function stateOf(choice: ProviderChoice) {
  const { available, id = null, title = null } = choice
  return { available, provider: id, title, reason: choice.available ? null : choice.reason }
}

function viewOf(choice: ProviderChoice) {
  const { provider: id, ...state } = stateOf(choice)
  return { id: id ?? '', ...state }
}

/** A failure of the provider is what the test is for. */
async function outcomeOf(work: () => ReturnType<WebSearch['test']>) {
  try {
    const { results } = await work()
    const found = results.map(({ url, title, snippet, publishedAt = null }) => ({ url, title, snippet, published_at: publishedAt }))
    return { ok: true, code: null, error: null, results: found }
  } catch (error) {
    if (!ServiceError.isInstance(error) || !error.code.startsWith('search_')) throw error
    return { ok: false, code: error.code, error: error.message, results: [] }
  }
}

function userOf({ principal }: Pick<RouteRequest, 'principal'>): string {
  if (!principal) throw new Error('A route that requires an administrator was called without a principal.')
  return principal.userId
}
