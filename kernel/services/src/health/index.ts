export { createHealthRoutes, type ServiceState } from './health-routes.js'
export { createHealthChecks, type OwnCheck } from './run-checks.js'
