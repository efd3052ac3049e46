export { describeProviderFaults } from './describe-provider-faults.js'
export type { FaultWire, ProviderFaultsOptions } from './faults-options.js'
