export { leaseLostError } from './errors.js'
export { leaseCollections } from './lease-records.js'
export { createOwnLeases, type Lease, leasesToken, openProcessLeases, type ProcessLeases } from './process-leases.js'
