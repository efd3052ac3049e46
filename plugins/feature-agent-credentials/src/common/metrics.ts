import type { Metrics } from '@agent-service/sdk/services/metrics'

/** What is measured of credentials. */
export interface CredentialMetrics {
  /** An agent asked for a credential. */
  opened(source: 'local' | 'vault' | 'unknown', outcome: 'ok' | 'refused' | 'failed'): void
  granted(by: 'person' | 'answer'): void
  /** A call of a connector, by what the store answered. */
  called(connector: string, operation: string, outcome: string): void
  synced(outcome: 'ok' | 'failed'): void
}

export function createCredentialMetrics(metrics: Metrics): CredentialMetrics {
  const opened = metrics.counter({
    name: 'agent_credential_openings_total',
    help: 'Openings of credentials for agents, by where they are kept (local, vault, unknown) and outcome.',
    labels: ['source', 'outcome'],
  })
  const granted = metrics.counter({
    name: 'agent_credential_grants_total',
    help: 'Grants to agents, by how they came about: a person, or the answer to a request.',
    labels: ['by'],
  })
  const called = metrics.counter({
    name: 'vault_calls_total',
    help: 'Calls of vault connectors, by connector, operation and outcome: ok, or the code of the error.',
    labels: ['connector', 'operation', 'outcome'],
  })
  const synced = metrics.counter({
    name: 'vault_syncs_total',
    help: 'Synchronisations of vault connections, by outcome.',
    labels: ['outcome'],
  })
  return {
    opened: (source, outcome) => opened.add({ source, outcome }),
    granted: (by) => granted.add({ by }),
    called: (connector, operation, outcome) => called.add({ connector, operation, outcome }),
    synced: (outcome) => synced.add({ outcome }),
  }
}
