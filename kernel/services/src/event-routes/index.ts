export { createEventRoutes } from './event-routes.js'
