import { strict as assert } from 'node:assert'
import { inspect } from 'node:util'
import {
  searchQueryRefusedError,
  searchRateLimitedError,
  searchUnauthorizedError,
  searchUnavailableError,
} from '../../contracts/search-provider/errors.js'
import type { SearchProvider, SearchQuery, SearchResult } from '../../contracts/search-provider/search-provider.js'
import type { ServiceError } from '../../core/errors.js'
import type { EnginePage, EngineReply, SearchEngine } from './search-engine.js'
import type { SearchProviderSuiteOptions } from './suite-options.js'

/** The key that searches of the suite use. */
export const suiteKey = 'sk-suite-5f2c9a1e77d04b'

const contractErrors = [searchUnauthorizedError, searchRateLimitedError, searchUnavailableError, searchQueryRefusedError]

/** One provider with its engine, for one test. */
export interface SearchBench {
  readonly engine: SearchEngine
  readonly provider: SearchProvider
  /** The engine finds these pages from now on. */
  finds(pages: readonly EnginePage[]): void
  /** Searches with the key of the suite. */
  search(query?: Partial<SearchQuery>, signal?: AbortSignal): Promise<readonly SearchResult[]>
  /** The failure of a search for which the engine answers so; it is one of the contract and tells no secret. */
  failureOf(reply: EngineReply, query?: Partial<SearchQuery>): Promise<ServiceError>
}

/** Defines a test that gets a provider and an engine of its own. */
export type SearchTest = (title: string, test: (bench: SearchBench) => Promise<void> | void) => void

/** A page of the engine. */
export const aPage = (number: number, more: Partial<EnginePage> = {}): EnginePage => ({
  ...{ url: `https://example.org/page/${number}`, title: `Page ${number}`, snippet: `What page ${number} says.` },
  ...more,
})

/** Makes the bench around a running engine. */
export function createSearchBench({ create, engine: dialect }: SearchProviderSuiteOptions, engine: SearchEngine): SearchBench {
  const provider = create(engine.baseUrl)
  const search = async (query: Partial<SearchQuery> = {}, signal: AbortSignal = new AbortController().signal) => {
    const connection = {
      ...(provider.keyVariable !== undefined && { apiKey: suiteKey }),
      ...(provider.selfHosted === true && { baseUrl: engine.baseUrl }),
    }
    const { results } = await provider.search({ text: 'weather in Ulm', limit: 5, ...query }, connection, { signal })
    return results
  }
  return {
    engine,
    provider,
    finds: (pages) => engine.reply(() => dialect.results(pages)),
    search,
    async failureOf(reply, query) {
      engine.reply(() => reply)
      const error = await search(query).then(
        () => assert.fail('the search succeeded; it was expected to fail'),
        (failure: unknown) => failure,
      )
      return assertContractError(error)
    },
  }
}

/** Fails unless this is an error of the contract without the key in it. */
export function assertContractError(error: unknown): ServiceError {
  const known = contractErrors.find((definition) => definition.isInstance(error))
  assert.ok(known, `the search failed with ${inspect(error)}; expected an error of the contract`)
  const whole = inspect(error, { depth: 10, showHidden: true })
  assert.ok(!whole.includes(suiteKey), `the error ${known.code} contains the key`)
  return error as ServiceError
}
