export { openPolicies, type Policies } from './open-policies.js'
export { policyCollections } from './policy-records.js'
export { policiesToken } from './open-policies.js'
export { type PolicyRecord, policies } from './policy-records.js'
