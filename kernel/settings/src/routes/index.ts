export { openConfigurationRoutes } from './configuration-routes.js'
