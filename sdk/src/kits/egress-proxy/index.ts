export { type ConnectionShares, createConnectionShares, maxConnections, type TakePlace, unlimitedPlaces } from './connection-shares.js'
export { type ClosedReason, type Judgement, type OpenDestination, openDestination, type Permitted } from './destinations.js'
export { createEgressProxy, type EgressOptions, type EgressProxy, maxProxyConnections } from './egress-proxy.js'
