export { describeProviderAdapter } from './describe-provider-adapter.js'
export { playEmbeddings, textWithLongVector, textWithoutVector } from './support/embedding-play.js'
export {
  type ExpectedAnswer,
  type ProviderAdapterSuiteOptions,
  type ProviderScenario,
  type ProviderUpstream,
  providerScenarios,
} from './support/suite-options.js'
