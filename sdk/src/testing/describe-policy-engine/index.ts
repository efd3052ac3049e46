export { describePolicyEngine } from './describe-policy-engine.js'
export type { PolicyEngineCase, PolicyEngineExample, PolicyEngineSuiteOptions } from './suite-options.js'
