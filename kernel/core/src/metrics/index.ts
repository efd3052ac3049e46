export { metricConflictError } from './metric-conflict.js'
export type { MetricSample, MetricSource } from './metric-source.js'
export { createSeries, maxSeries } from './series.js'
