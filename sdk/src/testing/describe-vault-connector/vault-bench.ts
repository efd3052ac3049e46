import type { VaultConnection, VaultConnector, VaultField } from '../../contracts/vault-connector/vault-connector.js'

/** An item that the suite knows to be in a store. */
export interface VaultBenchItem {
  /** Unique in the bench. */
  readonly title: string
  /** As {@link VaultItem.group} has it. Default: not tested. */
  readonly group?: string
  /** All of its fields, at least one of them secret, each secret value at least 8 characters long. */
  readonly fields: readonly VaultField[]
}

/** A connection and what it can see. */
export interface VaultBenchAccount {
  /** Good credentials. */
  readonly connection: VaultConnection
  /** All that the connection sees. */
  readonly items: readonly VaultBenchItem[]
}

/**
 * What may be wrong with a store, until it is mended, and the error that calls have to fail with.
 *
 * - `down`: no connection, or no file. `vault_unavailable`
 * - `failing`: the server answers every request with a failure of its own. `vault_unavailable`
 * - `silent`: the server takes requests and never answers. `vault_unavailable`
 * - `untrusted`: the server's certificate is not trusted. `vault_unavailable`
 * - `sealed`: it has to be unsealed by its administrator. `vault_sealed`
 * - `busy`: it asks for fewer requests. `vault_rate_limited`
 * - `forbidding`: the credentials are good, but may neither list nor read. `vault_forbidden`
 * - `revoked`, `expired`: the credentials of the connection have ended. `vault_unauthorized`
 * - `damaged`: the file or the answers are not what they should be. `vault_content_invalid`
 * - `huge`: the file or the answers are far larger than they may be. `vault_content_invalid`
 * - `redirecting`: the server answers every request with a redirect to another server, which answers
 *   with a failure and has no secret of a request. Any error of the contract
 */
export type VaultFault =
  | 'down'
  | 'failing'
  | 'silent'
  | 'untrusted'
  | 'sealed'
  | 'busy'
  | 'forbidding'
  | 'revoked'
  | 'expired'
  | 'damaged'
  | 'huge'
  | 'redirecting'

/** A connector with a store that the suite changes as another client of it would. */
export interface VaultBench {
  /** The connector, with short time limits where the store may be `silent`. */
  readonly connector: VaultConnector
  /** The account that the suite works in: at least three items. Where the connector renews, its credentials can be renewed. */
  readonly account: VaultBenchAccount
  /** Another account, in the same store or in another one, with other items: at least one. */
  readonly other: VaultBenchAccount
  /** Connections to the store of {@link account} with credentials that it does not take, by what is wrong with them. At least one. */
  readonly wrong: Readonly<Record<string, VaultConnection>>
  /** Connections that can be seen to be useless, without the store: a token in the wrong form. Default: none. */
  readonly invalid?: Readonly<Record<string, VaultConnection>>
  /** A connection to the same store with good credentials that cannot be renewed. Default: not tested. */
  readonly fixed?: VaultConnection
  /**
   * A connection of a user to a store at an address that is not public, and how many connections
   * that store has seen. Default: not tested.
   */
  readonly inward?: { readonly connection: VaultConnection; connections(): number }
  /**
   * What the other server of the fault `redirecting` has received: addresses, headers and bodies.
   * Needed with that fault.
   */
  elsewhere?(): readonly string[]
  /** Adds an item to the {@link account}. */
  add(item: VaultBenchItem): Promise<void>
  /** Replaces an item of the {@link account}, by its title. The title changes only with `renames`. */
  change(title: string, item: VaultBenchItem): Promise<void>
  /** Removes an item from the {@link account}, by its title, as people do. */
  remove(title: string): Promise<void>
  /** Brings a fault of the options about. At most one at a time. */
  break(fault: VaultFault): Promise<void>
  /** Ends the fault. */
  mend(): Promise<void>
  /** What the connector has logged so far. Default: it logs nothing. */
  lines?(): readonly string[]
  /** Closes everything, also with a fault. */
  close(): Promise<void>
}
