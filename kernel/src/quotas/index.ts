export { createQuotas, limitConflictError, ownLimits, type QuotaRegistry } from './create-quotas.js'
