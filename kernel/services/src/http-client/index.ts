/** HTTP requests to addresses that users, models or other systems chose. */
export { openHttpClient } from './open-http-client.js'
