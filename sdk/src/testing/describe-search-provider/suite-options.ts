import type { SearchProvider, SearchQuery } from '../../contracts/search-provider/search-provider.js'
import type { SuiteRunner } from '../suite-runner.js'
import type { NotApplicable } from '../unchecked-rules.js'
import type { EnginePage, EngineReply, EngineRequest } from './search-engine.js'

/** How an engine answers page by page. */
export interface SearchEnginePaging {
  /** The results that a request asks for: how many come before them, from 0, and how many they are at most. */
  range(request: EngineRequest): { readonly offset: number; readonly count: number }
  /** An answer with these pages, in this order. `next` is the offset of those that follow; absent: none follow. */
  results(pages: readonly EnginePage[], next: number | undefined): EngineReply
}

/** How the engine of a provider speaks. */
export interface SearchEngineDialect {
  /** An answer with these pages, in this order, which no others follow. */
  results(pages: readonly EnginePage[]): EngineReply
  /** What a request looks for, and the key in it; an engine without keys has none. */
  read(request: EngineRequest): { readonly text: string; readonly key?: string }
  /** How it answers page by page. `not applicable` if the provider asks once. Default: not tested. */
  readonly paging?: SearchEnginePaging | NotApplicable
  /**
   * How new the pages must be, in the words of the contract, and `undefined` if the request does not
   * say. `not applicable` for an engine that cannot tell. Default: not tested.
   */
  readonly freshness?: ((request: EngineRequest) => SearchQuery['freshness']) | NotApplicable
  /**
   * The language of the pages, by BCP 47, and `undefined` if the request does not say: `de`.
   * `not applicable` for an engine that cannot tell. Default: not tested.
   */
  readonly language?: ((request: EngineRequest) => string | undefined) | NotApplicable
  /** An answer that is JSON and has no results where they belong. Default: `{"unexpected":true}`. */
  readonly malformed?: EngineReply
  /** How it refuses the key. Default: the status 401. */
  readonly keyRefused?: EngineReply
  /** How it refuses a query. Default: the status 400. */
  readonly queryRefused?: EngineReply
}

/** The options of {@link describeSearchProvider}. */
export interface SearchProviderSuiteOptions {
  /** Part of the titles. */
  readonly name: string
  /** Makes the provider, for the engine at this address. Called for each test. */
  create(baseUrl: string): SearchProvider
  /** How that engine speaks. */
  readonly engine: SearchEngineDialect
  /** Default: the test framework in the global scope. */
  readonly runner?: SuiteRunner
  /** The limit for the end of an aborted search, and for one that must end by itself, in milliseconds. Default 5,000. */
  readonly limitMs?: number
}
