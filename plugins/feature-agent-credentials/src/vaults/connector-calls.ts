import { type Logger, ServiceError } from '@agent-service/sdk'
import { withTimeLimit } from '@agent-service/sdk/async'
import {
  type VaultConnection,
  type VaultConnector,
  vaultConnectors,
  vaultUnavailableError,
} from '@agent-service/sdk/contracts/vault-connector'
import type { Clock } from '@agent-service/sdk/services/clock'
import type { Contributions } from '@agent-service/sdk/services/contributions'
import type { Limit } from '@agent-service/sdk/services/quotas'
import { connectorCallMs } from '../common/limits.js'
import type { CredentialMetrics } from '../common/metrics.js'
import { cutToSize, withoutSecrets } from './without-secrets.js'

/** One call of a connector. */
export interface ConnectorCall<Result> {
  /** The id of the connector. */
  readonly connector: string
  /** The title of the connection, for errors. */
  readonly title: string
  /** For metrics. */
  readonly operation: string
  /** Whose share of the concurrent calls it takes: `user:<id>` or `system`. */
  readonly holder: string
  /** Values that no error may show. */
  readonly hidden: readonly string[]
  readonly signal: AbortSignal
  readonly work: (connector: VaultConnector, signal: AbortSignal) => Promise<Result>
}

/**
 * Calls connectors of other plugins: within their share and time, until the signal is aborted even
 * if they ignore it, and with the errors of their contract alone, in which no secret of the
 * connection is left.
 */
export interface ConnectorCalls {
  /** Those of active plugins, by id. */
  list(): readonly VaultConnector[]
  find(id: string): VaultConnector | undefined
  /** @throws an error of the contract, `limit_reached`, `overloaded`, the signal's reason. */
  call<Result>(call: ConnectorCall<Result>): Promise<Result>
  /** Lets a connector forget what it has cached for a connection. Never fails. */
  forget(connector: string, vaultId: string): Promise<void>
}

export interface ConnectorCallsDependencies {
  readonly contributions: Pick<Contributions, 'list' | 'acquire'>
  readonly limit: Limit
  readonly clock: Pick<Clock, 'after'>
  readonly log: Logger
  readonly metrics: Pick<CredentialMetrics, 'called'>
}

export function createConnectorCalls(dependencies: ConnectorCallsDependencies): ConnectorCalls {
  const { contributions, limit, clock, log, metrics } = dependencies
  const list = (): readonly VaultConnector[] => contributions.list(vaultConnectors).map(({ value }) => value)
  const call = async <Result>({ connector, title, hidden, ...request }: ConnectorCall<Result>): Promise<Result> => {
    const hold = await limit.acquire(request.holder, 1, { signal: request.signal })
    const lease = contributions.acquire(vaultConnectors, connector)
    try {
      if (!lease) throw vaultUnavailableError.create({ vault: title, reason: absenceOf(connector) })
      const result = await withTimeLimit((signal) => request.work(lease.value, signal), {
        ...{ limitMs: connectorCallMs, clock },
        signal: AbortSignal.any([request.signal, lease.signal]),
        timedOut: () => vaultUnavailableError.create({ vault: title, reason: `it did not answer within ${connectorCallMs / 1_000} s` }),
      })
      metrics.called(connector, request.operation, 'ok')
      return result
    } catch (error) {
      request.signal.throwIfAborted()
      const shown = cutToSize(withoutSecrets(errorOfContract(error, { title, connector, log }), hidden))
      metrics.called(connector, request.operation, shown.code)
      throw shown
    } finally {
      lease?.release()
      hold.release()
    }
  }
  return {
    list,
    find: (id) => list().find((connector) => connector.id === id),
    call,
    async forget(connector, vaultId) {
      const known = list().find(({ id }) => id === connector)
      if (known?.close === undefined) return
      const work: ConnectorCall<void>['work'] = async ({ close }) => close?.(vaultId)
      const request = { connector, title: vaultId, operation: 'close', holder: 'system', hidden: [], work }
      await call({ ...request, signal: AbortSignal.timeout(connectorCallMs) }).catch((error: unknown) =>
        log.warn('A vault connector did not forget a connection.', { connector, vault_id: vaultId, error }),
      )
    },
  }
}

/** Why a connection whose connector is not there cannot be used. */
export const absenceOf = (connector: string): string => `no active plugin has the connector “${connector}”`

/** What is no error of the contract is a fault of the connector, and not shown. */
function errorOfContract(
  error: unknown,
  { title, connector, log }: { readonly title: string; readonly connector: string; readonly log: Logger },
) {
  if (ServiceError.isInstance(error) && error.code.startsWith('vault_')) return error
  log.warn('A vault connector failed.', { connector, error })
  return vaultUnavailableError.create({ vault: title, reason: 'its connector failed' })
}

/** For every call: the connection as a connector gets it, and what no error may show. */
export interface OpenConnection {
  readonly connection: VaultConnection
  readonly hidden: readonly string[]
}
