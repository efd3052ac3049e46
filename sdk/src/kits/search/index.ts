/**
 * What search providers have in common: one bounded request whose failures are those of the contract,
 * and results made of what an engine found.
 *
 * @packageDocumentation
 */
export { askSearchEngine, type SearchEngineAnswer, type SearchEngineRequest } from './ask-search-engine.js'
export { retryAfterOf } from './retry-after.js'
export { type FoundPage, searchResultsOf } from './search-results.js'
