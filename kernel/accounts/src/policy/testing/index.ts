export { type EngineCall, interceptEngine } from './intercept-engine.js'
export { openPoliciesUnderTest, type PoliciesUnderTest, shippedResources } from './policies-under-test.js'
export { isRunning, memoryOf, policyProcessesOf, untilEnded } from './policy-processes.js'
export { openShippedEngine } from './shipped-engine.js'
