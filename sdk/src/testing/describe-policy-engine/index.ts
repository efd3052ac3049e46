export { describePolicyEngine, type PolicyEngineExample, type PolicyEngineSuiteOptions } from './describe-policy-engine.js'
