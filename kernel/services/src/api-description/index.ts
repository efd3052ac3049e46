export { createApiDescriptionRoute } from './api-description-route.js'
export type { ApiTexts } from './describe-api.js'
