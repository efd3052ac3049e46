import type { SearchProvider } from '../../contracts/search-provider/search-provider.js'
import type { SuiteRunner } from '../suite-runner.js'
import type { EnginePage, EngineReply, EngineRequest } from './search-engine.js'

/** How the engine of a provider speaks. */
export interface SearchEngineDialect {
  /** An answer with these pages, in this order. */
  results(pages: readonly EnginePage[]): EngineReply
  /** What a request looks for, and the key in it; an engine without keys has none. */
  read(request: EngineRequest): { readonly text: string; readonly key?: string }
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
