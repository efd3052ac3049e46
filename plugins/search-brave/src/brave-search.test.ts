import { describeSearchProvider, type EngineReply, type EngineRequest, startSearchEngine } from '@agent-service/sdk/testing'
import { expect } from 'chai'
import { createBraveSearch } from './brave-search.js'
import { braveLanguage } from './languages.js'

const refusal = (code: string, more: object = {}): string =>
  JSON.stringify({ type: 'ErrorResponse', error: { id: 'e-1', status: 422, detail: 'It is wrong.', code, ...more }, time: 1 })

const parametersOf = (request: EngineRequest | undefined): URLSearchParams => new URL(request?.path ?? '/', 'http://localhost').searchParams

const freshnesses: Readonly<Record<string, 'day' | 'week' | 'month' | 'year'>> = { pd: 'day', pw: 'week', pm: 'month', py: 'year' }

describeSearchProvider({
  name: 'Brave Search',
  create: (baseUrl) => createBraveSearch({ baseUrl }),
  engine: {
    results: (pages) => ({
      body: JSON.stringify({
        type: 'search',
        query: { original: 'as it was' },
        ...(pages.length > 0 && {
          web: {
            type: 'search',
            results: pages.map(({ url, title, snippet, publishedOn }) => ({
              ...{ type: 'search_result', url, title, description: snippet, is_source_local: false },
              ...(publishedOn !== undefined && { page_age: `${publishedOn}T10:00:00`, age: '3 days ago' }),
            })),
          },
        }),
      }),
    }),
    read: (request) => ({ text: parametersOf(request).get('q') ?? '', key: String(request.headers['x-subscription-token']) }),
    paging: 'not applicable',
    freshness: (request) => freshnesses[parametersOf(request).get('freshness') ?? ''],
    language: (request) => parametersOf(request).get('search_lang') ?? undefined,
    keyRefused: { status: 422, body: refusal('SUBSCRIPTION_TOKEN_INVALID') },
    queryRefused: { status: 422, body: refusal('VALIDATION', { meta: { errors: [{ type: 'too_long', loc: ['query', 'q'] }] } }) },
  },
})

describe('search with Brave Search', () => {
  let requests: readonly EngineRequest[] = []
  const ask = async (reply: EngineReply, query = {}) => {
    const engine = await startSearchEngine()
    engine.reply(() => reply)
    try {
      const signal = new AbortController().signal
      return await createBraveSearch({ baseUrl: engine.baseUrl }).search(
        { text: 'a', limit: 3, ...query },
        { apiKey: 'BSA-key' },
        { signal },
      )
    } finally {
      requests = engine.requests
      await engine.close()
    }
  }
  const failureOf = (reply: EngineReply) =>
    ask(reply).then(
      () => expect.fail('The search was expected to fail.'),
      (error: { readonly code: string; readonly details: Readonly<Record<string, unknown>> }) => error,
    )

  it('sends what Brave documents', async () => {
    await ask({ body: '{"type":"search"}' }, { freshness: 'month', language: 'pt-BR' })
    const [request] = requests
    expect([request?.method, request?.path.split('?')[0], request?.headers['x-subscription-token']]).to.deep.equal([
      ...['GET', '/res/v1/web/search', 'BSA-key'],
    ])
    expect(Object.fromEntries(parametersOf(request))).to.deep.equal({
      ...{ q: 'a', count: '3', country: 'ALL', result_filter: 'web', text_decorations: 'false', freshness: 'pm', search_lang: 'pt-br' },
    })
  })

  it('takes refusals of the key for what they are, whatever their status', async () => {
    const missing = { meta: { errors: [{ type: 'missing', loc: ['header', 'x-subscription-token'] }] } }
    for (const reply of [
      { status: 422, body: refusal('VALIDATION', missing) },
      { status: 404, body: refusal('SUBSCRIPTION_NOT_FOUND') },
    ])
      expect((await failureOf(reply)).code).to.equal('search_unauthorized')
  })

  it('waits for the limit that is used up', async () => {
    const headersOf = (remaining: string, reset: string) => ({ 'x-ratelimit-remaining': remaining, 'x-ratelimit-reset': reset })
    const cases: readonly (readonly [Readonly<Record<string, string>>, number | undefined])[] = [
      [headersOf('0, 1500', '1, 1419704'), 1_000],
      [headersOf('1, 0', '1, 1419704'), 86_400_000],
      [headersOf('0, 0', '1, 7200'), 7_200_000],
      [headersOf('1, 5', '1, 7200'), undefined],
      [headersOf('none', 'soon'), undefined],
      [{ ...headersOf('0, 1500', '1, 1419704'), 'retry-after': '3' }, 3_000],
    ]
    for (const [headers, milliseconds] of cases) {
      const { code, details } = await failureOf({ status: 429, headers, body: refusal('RATE_LIMITED') })
      expect([code, details['retryAfterMs']], JSON.stringify(headers)).to.deep.equal(['search_rate_limited', milliseconds])
    }
  })

  it('spells languages as Brave does, and leaves out those that it does not know', () => {
    const languages = ['de', 'de-AT', 'en-GB', 'en-US', 'ja', 'ja-JP', 'zh', 'zh-TW', 'zh-Hant-HK', 'pt', 'pt-BR', 'no', 'gsw', 'tlh']
    expect(languages.map((language) => braveLanguage(language) ?? '')).to.deep.equal([
      ...['de', 'de', 'en-gb', 'en', 'jp', 'jp', 'zh-hans', 'zh-hant', 'zh-hant', 'pt-pt', 'pt-br', 'nb', '', ''],
    ])
  })
})
