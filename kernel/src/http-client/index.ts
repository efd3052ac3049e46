/** Requests to addresses that someone else chose. */
export { createHttpClient, type HttpClientOptions, type OwnedHttpClient } from './create-http-client.js'
export { type NetworkPermission, readNetworkPermission } from './network-permission.js'
