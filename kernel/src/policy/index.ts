export { openPolicies, type Policies } from './open-policies.js'
export { policyCollections } from './policy-records.js'
