export { logMetric } from './log-metric.js'
export { createLogRoutes } from './log-routes.js'
export { createRecentLines, type RecentLines } from './recent-lines.js'
