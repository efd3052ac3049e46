export { limitConflictError } from '@agent-service/kernel-core/quotas'
export { createQuotas, ownLimits, quotasToken } from './create-quotas.js'
export { limitMetrics } from './limit-metrics.js'
