export { clockToken, environmentToken, loggerToken, scopeToken, versionToken } from './tokens.js'
