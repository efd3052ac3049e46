export {
  createMetricRegistry,
  type MetricRegistry,
  metricConflictError,
  metricInvalidError,
  metricsToken,
  ownMetrics,
} from './create-metrics.js'
export { createDistribution, type Distribution } from './distribution.js'
export { type MetricSample, type MetricSource, metricText } from './metric-source.js'
