export { limitMetrics } from './limit-metrics.js'
