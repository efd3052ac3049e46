export { type ConfigurationRoutes, openConfigurationRoutes } from './configuration-routes.js'
