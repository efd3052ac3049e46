import type { ModelTimeouts } from '@agent-service/sdk/contracts/provider-adapter'
import type { Contributions } from '@agent-service/sdk/services/contributions'
import type { Secrets } from '@agent-service/sdk/services/secrets'
import type { Catalogue } from '../catalogue/catalogue.js'
import type { Connections } from '../connections/connections.js'

/** What resolving a target depends on. */
export interface TargetDependencies {
  readonly catalogue: Catalogue
  readonly connections: Connections
  readonly contributions: Contributions
  readonly secrets: Secrets
  readonly timeouts: ModelTimeouts
  /**
   * The implicit group uses another protocol than its connection's default. Called for each
   * attempt.
   */
  onProtocolReplaced(change: ProtocolChange): void
}

/** A protocol that replaces another. */
export interface ProtocolChange {
  readonly connection: string
  readonly wanted: string
  readonly used: string
}
