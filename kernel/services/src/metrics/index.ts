export { metricConflictError } from '@agent-service/kernel-core/metrics'
export {
  createMetricRegistry,
  type MetricRegistry,
  metricInvalidError,
  metricsToken,
  ownMetrics,
} from './create-metrics.js'
export { createHttpMetrics } from './http-metrics.js'
