export { createQuotas, limitConflictError, ownLimits, quotasToken } from './create-quotas.js'
export { limitMetrics } from './limit-metrics.js'
