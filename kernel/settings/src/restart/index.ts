export { createRestartRoutes } from './restart-routes.js'
export { createRestarts, type RestartOrder, type RestartStatus, type Restarts, restartsToken, type WorkUnderWay } from './restarts.js'
