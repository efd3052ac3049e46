export { createApiDescriptionRoute } from './api-description-route.js'
