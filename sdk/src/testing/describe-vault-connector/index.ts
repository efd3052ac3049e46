export { describeVaultConnector } from './describe-vault-connector.js'
export type { VaultConnectorSuiteOptions } from './suite-options.js'
export type { VaultBench, VaultBenchAccount, VaultBenchItem, VaultFault } from './vault-bench.js'
