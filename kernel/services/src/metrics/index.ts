export {
  createMetricRegistry,
  type MetricRegistry,
  metricConflictError,
  metricInvalidError,
  metricsToken,
  ownMetrics,
} from './create-metrics.js'
export { createHttpMetrics } from './http-metrics.js'
