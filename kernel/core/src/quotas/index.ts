export { limitInvalidError } from './check-definition.js'
export type { MeasuredLimit } from './create-limit.js'
export { createQuotas, limitConflictError, ownLimits, type QuotaRegistry } from './create-quotas.js'
export { quotasToken } from './create-quotas.js'
