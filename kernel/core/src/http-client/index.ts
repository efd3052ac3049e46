/** Requests to addresses that someone else chose. */
export { openHttpClient } from './open-http-client.js'
