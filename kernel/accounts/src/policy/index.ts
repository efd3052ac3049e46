export { routeAttributes } from './known-entities.js'
export { openPolicies, type Policies, policiesToken } from './open-policies.js'
export { type PolicyRecord, policies, policyCollections } from './policy-records.js'
