export { limitInvalidError } from './check-definition.js'
export { createQuotas, limitConflictError, ownLimits, type QuotaRegistry } from './create-quotas.js'
