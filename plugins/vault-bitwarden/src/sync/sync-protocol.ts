import type { VaultItems, VaultListQuery } from '@agent-service/sdk/contracts/vault-connector'
import type { Profile } from '../items/profile.js'

/** What the thread gets as it starts. */
export interface SyncWork {
  /** The answer of the server, as it came. */
  readonly body: Uint8Array
  readonly userKey: Uint8Array
  /** Default: only the profile is wanted. */
  readonly query?: VaultListQuery
}

/** The thread's only message. */
export type SyncAnswer = { readonly profile: Profile; readonly page?: VaultItems } | { readonly failed: 'damaged' | 'cursor' }
