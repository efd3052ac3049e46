export { createDistribution, type Distribution } from './distribution.js'
export { type MetricSample, type MetricSource, metricText } from './metric-source.js'
export { createSeries, maxSeries } from './series.js'
