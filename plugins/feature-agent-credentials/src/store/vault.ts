import type { JsonObject } from '@agent-service/sdk'
import { defineCollection } from '@agent-service/sdk/services/database'

/** Who may use a connection of the deployment. Administrators decide. */
export type VaultAccess =
  | { readonly kind: 'admins' }
  | { readonly kind: 'everyone' }
  | { readonly kind: 'users'; readonly user_ids: readonly string[] }

/** Why the last attempt failed. */
export interface VaultFailure {
  readonly code: string
  /** For people, without secrets. */
  readonly message: string
  readonly at: string
}

/** A connection to an external vault. */
export interface Vault {
  readonly id: string
  /** Null: of the deployment, from the section `vault`. */
  readonly user_id: string | null
  /** The id of the connector. */
  readonly connector: string
  readonly title: string
  /** The members that are no secrets. Empty for the deployment's, which come from the configuration. */
  readonly members: JsonObject
  /** Sealed JSON of the secret members. Null for the deployment's. */
  readonly secrets: string | null
  /** Increases with each change of the members. */
  readonly generation: number
  /** Only of the deployment's. */
  readonly access: VaultAccess | null
  readonly state: 'new' | 'ready' | 'failed'
  readonly failure: VaultFailure | null
  /** Failed attempts in a row. */
  readonly failures: number
  /** What the vault says about the account. */
  readonly account: string | null
  /** When the credentials of the connection end. */
  readonly expires_at: string | null
  readonly synced_at: string | null
  /** When it is synchronised again. */
  readonly next_sync_at: string
  /** How many items are known, and whether the vault has more. */
  readonly items: number
  readonly items_complete: boolean
  readonly created_at: string
  readonly changed_at: string
}

export const vaultCollection = defineCollection<Vault>()({
  name: 'agent_credentials.vaults',
  version: 1,
  userField: 'user_id',
  indexes: {
    by_user: { fields: ['user_id', 'id'] },
    by_next_sync: { fields: ['next_sync_at'] },
  },
  sealed: ['secrets'],
})

/** An item of a vault as it is known without a call: never a value. */
export interface StoredItem {
  readonly id: string
  readonly title: string
  readonly group: string | null
  readonly fields: readonly string[]
  readonly changed_at: string | null
}

/** Some of the items of a connection, in the order of the vault. */
export interface VaultItemList {
  /** `<vault>.<number>`, from 0. */
  readonly id: string
  readonly vault_id: string
  readonly user_id: string | null
  readonly items: readonly StoredItem[]
}

export const itemCollection = defineCollection<VaultItemList>()({
  name: 'agent_credentials.vault_items',
  version: 1,
  userField: 'user_id',
  indexes: { by_user: { fields: ['user_id', 'id'] } },
})

export const itemListId = (vaultId: string, number: number): string => `${vaultId}.${number}`
