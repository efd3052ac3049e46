export { type ApiDocument, createApiDocument } from './api-document.js'
export { type ApiTexts, describeApi } from './describe-api.js'
