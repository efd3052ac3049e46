import type { VaultConnector } from '@agent-service/sdk/contracts/vault-connector'
import { type VaultField, vaultUnavailableError } from '@agent-service/sdk/contracts/vault-connector'
import type { Vault } from '../store/vault.js'
import { checkedFields } from './checked-items.js'
import type { Connections } from './connection.js'
import { absenceOf, type ConnectorCalls, type OpenConnection } from './connector-calls.js'

/** What every use of a connection needs. */
export interface VaultUse {
  readonly calls: ConnectorCalls
  readonly connections: Connections
}

/** One use of a connection. */
export interface VaultQuestion<Result> {
  readonly operation: 'test' | 'list' | 'read' | 'renew'
  readonly signal: AbortSignal
  readonly work: (connector: VaultConnector, connection: OpenConnection['connection'], signal: AbortSignal) => Promise<Result>
}

/** Calls the connector of a connection. @throws as {@link ConnectorCalls.call} and {@link Connections.open}. */
export async function useVault<Result>(
  { calls, connections }: VaultUse,
  vault: Vault,
  { operation, signal, work }: VaultQuestion<Result>,
): Promise<Result> {
  const known = calls.find(vault.connector)
  if (!known) throw vaultUnavailableError.create({ vault: vault.title, reason: absenceOf(vault.connector) })
  const { connection, hidden } = await connections.open(vault, known)
  return calls.call({
    ...{ connector: vault.connector, title: vault.title, operation, hidden, signal },
    holder: vault.user_id === null ? 'system' : `user:${vault.user_id}`,
    work: (connector, limited) => work(connector, connection, limited),
  })
}

/** An item with its values as they are in the vault now. @throws an error of the contract. */
export async function readItem(
  use: VaultUse,
  vault: Vault,
  id: string,
  signal: AbortSignal,
): Promise<{ readonly title: string; readonly fields: readonly VaultField[] }> {
  const answer = await useVault(use, vault, {
    ...{ operation: 'read', signal },
    work: (connector, connection, limited) => connector.read(connection, id, { signal: limited }),
  })
  return checkedFields(vault.title, id, answer)
}
