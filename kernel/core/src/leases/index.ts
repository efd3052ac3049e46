export { leaseCollections } from './lease-records.js'
export { createOwnLeases, type Lease, leaseLostError, leasesToken, openProcessLeases, type ProcessLeases } from './process-leases.js'
