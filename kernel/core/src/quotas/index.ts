export { limitInvalidError } from './check-definition.js'
export type { MeasuredLimit } from './create-limit.js'
export { createQuotas, limitConflictError, ownLimits, type QuotaRegistry, quotasToken } from './create-quotas.js'
