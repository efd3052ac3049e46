import type { TObject } from 'typebox'
import type { Contribution } from '../../core/contribution-point.js'
import type { JsonObject } from '../../core/json.js'

/** A connection to one store, as every call gets it. */
export interface VaultConnection {
  /** The same for the life of the connection: what a connector caches, it caches under this id. */
  readonly id: string
  /**
   * `system`: from the configuration of the service, by its administrator, so addresses that are
   * not public and plain `http` are permitted. `user`: of a user, who may be anyone.
   */
  readonly origin: 'system' | 'user'
  /** The members of {@link VaultConnector.connection}, checked, the secret ones in plain text. */
  readonly members: JsonObject
  /** The file of a store that is one: of {@link VaultConnector.file}. */
  readonly file?: VaultFile
}

/** The one file that a connection names. The service checks the path; a connector never sees it. */
export interface VaultFile {
  /**
   * The whole file, and a version that changes with its content. @throws `vault_unavailable` when
   * it is missing or cannot be read, `vault_content_invalid` when it is larger than 64 MiB.
   */
  read(options: { readonly signal: AbortSignal }): Promise<{ readonly bytes: Uint8Array; readonly version: string }>
  /**
   * Replaces the file as a whole, if it still has this version. @throws `vault_conflict` when it
   * has changed.
   */
  write(bytes: Uint8Array, options: { readonly version: string; readonly signal: AbortSignal }): Promise<{ readonly version: string }>
}

/** What a test of a connection found. */
export interface VaultTest {
  /** The account, for people: an e-mail address, a token's display name. Without secrets. */
  readonly account: string
  /** When the credentials of the connection end, in milliseconds since 1970. Absent: unknown, or never. */
  readonly expiresAt?: number
  /** Whether {@link VaultConnector.renew} would prolong them. Default false. */
  readonly renewable?: boolean
}

/** An item of a store, without its values. */
export interface VaultItem {
  /** What {@link VaultConnector.read} takes; at most 1,000 characters; stays when the title changes. */
  readonly id: string
  /** For people, at most 300 characters. */
  readonly title: string
  /** The folder, collection or vault that it is in, for people: one line, not empty. Default: none. */
  readonly group?: string
  /** The names of its fields, where a list has them without further calls. */
  readonly fields?: readonly string[]
  /** When it was last changed, in milliseconds since 1970. */
  readonly changedAt?: number
  /** Changes with the item's content, at most 200 characters. From {@link VaultConnector.read}, where the store can tell. */
  readonly revision?: string
}

/** One field of an item. */
export interface VaultField {
  /** At most 200 characters, unique in the item. */
  readonly name: string
  /** Its value. */
  readonly value: string
  /** Whether the value is a secret; otherwise it may be shown to its owner, such as a user name. */
  readonly secret: boolean
}

/** One page of items. */
export interface VaultItems {
  /**
   * In an order that stays the same from page to page. Items that come and go between two pages
   * neither double nor hide others. A page before the last may have fewer than the limit, or none.
   */
  readonly items: readonly VaultItem[]
  /** Where the next page begins, at most 4,000 characters; absent on the last one. */
  readonly nextCursor?: string
}

/** What to list. */
export interface VaultListQuery {
  /** 1 to 200. */
  readonly limit: number
  /** From the page before. */
  readonly cursor?: string
  /** Only items whose title, group or id contains this text in any case; 1 to 200 characters. */
  readonly text?: string
}

/** An item to write. */
export interface VaultWrite {
  /** The item whose fields are replaced. Default: a new one is made. */
  readonly id?: string
  /**
   * Of a new item, or another one for an item whose title is no part of its id. Default: the present
   * one stays; a new item is untitled.
   */
  readonly title?: string
  /** The {@link VaultItem.revision} that was read: a newer one is `vault_conflict`. Default: whatever is there is replaced. */
  readonly revision?: string
  /** All fields that the item is to have. */
  readonly fields: readonly VaultField[]
}

/** The options of each call. */
export interface VaultCall {
  /** Aborted when the answer is not wanted any more, or the call's time is over. */
  readonly signal: AbortSignal
}

/**
 * Reads the items of an external store of secrets for connections of users and of the deployment.
 *
 * Stateless but for what it caches under the id of a connection: any call may be the first. Values
 * are held no longer than a call needs them; keys may be cached until `close`. No secret of a
 * connection and no value of an item is in an error, a log or a title. Fails with the errors of
 * this contract only, all `vault_…`; an abort rejects with the signal's reason.
 */
export interface VaultConnector extends Contribution {
  /** The generation of this contract that the connector is written for. */
  readonly specVersion: 1
  /** `^[a-z][a-z0-9-]{0,63}$`: `keepass`. Unique in a deployment. */
  readonly id: string
  /** For people: “KeePass”. One line. */
  readonly title: string
  /**
   * The members of a connection, a closed object. Those with `'x-secret': true` are stored
   * encrypted and never shown again. Title and description of each are for the form in which
   * people set it up.
   */
  readonly connection: TObject
  /**
   * The member of `connection` that is the path of a file: of a user, in that user's own files; of
   * the deployment, on its machine. Default: none.
   */
  readonly file?: string
  /** What the connector has beside test, list and read. */
  readonly supports: { readonly write: boolean; readonly renew: boolean }
  /**
   * Whether the connection works: asks the store now, whatever is cached. @throws each of this
   * contract's errors but those of items.
   */
  test(connection: VaultConnection, call: VaultCall): Promise<VaultTest>
  /** One page of what the connection can see. @throws `vault_cursor_invalid`. */
  list(connection: VaultConnection, query: VaultListQuery, call: VaultCall): Promise<VaultItems>
  /**
   * An item with its values as they are in the store now. @throws `vault_item_not_found`, also
   * with `deleted` for one whose present version was deleted and could be restored.
   */
  read(
    connection: VaultConnection,
    id: string,
    call: VaultCall,
  ): Promise<{ readonly item: VaultItem; readonly fields: readonly VaultField[] }>
  /**
   * Writes an item as a whole or not at all. @throws `vault_conflict` when it was changed by
   * someone else meanwhile. Only with `supports.write`.
   */
  write?(connection: VaultConnection, item: VaultWrite, call: VaultCall): Promise<VaultItem>
  /**
   * Prolongs the credentials of the connection; they stay the same. Only with `supports.renew`.
   * Answers with their new end, where {@link VaultConnector.test} tells one.
   */
  renew?(connection: VaultConnection, call: VaultCall): Promise<{ readonly expiresAt?: number }>
  /** Forgets what is cached for a connection. Nothing happens if nothing is. */
  close?(id: string): Promise<void>
}
