export { leaseCollections } from './lease-records.js'
export { openProcessLeases } from './process-leases.js'
