export { describeProviderAdapter } from './describe-provider-adapter.js'
export type { ExpectedAnswer, ProviderAdapterSuiteOptions, ProviderScenario, ProviderUpstream } from './suite-options.js'
