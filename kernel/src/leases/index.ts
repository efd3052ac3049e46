export { leaseLostError } from './errors.js'
export { leaseCollections } from './lease-records.js'
export { type Lease, openProcessLeases, ownLeases, type ProcessLeases } from './process-leases.js'
