export { createRestartRoutes } from './restart-routes.js'
export { createRestarts, type RestartOrder, type Restarts, restartsToken, type RestartStatus, type WorkUnderWay } from './restarts.js'
