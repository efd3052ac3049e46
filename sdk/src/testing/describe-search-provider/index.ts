export { describeSearchProvider } from './describe-search-provider.js'
export { type EnginePage, type EngineReply, type EngineRequest, type SearchEngine, startSearchEngine } from './search-engine.js'
export type { SearchEngineDialect, SearchEnginePaging, SearchProviderSuiteOptions } from './suite-options.js'
