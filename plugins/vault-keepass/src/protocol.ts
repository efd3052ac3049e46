import type { VaultField, VaultItem, VaultItems, VaultListQuery, VaultTest, VaultWrite } from '@agent-service/sdk/contracts/vault-connector'

/** The most that the key derivation of a file may cost, as its header asks for it. */
export interface KeyCostLimits {
  readonly maxMemoryKiB: number
  /** Memory times passes of Argon2, in KiB: what its time grows with. */
  readonly maxMemoryPassesKiB: number
  /** Rounds of AES-KDF. */
  readonly maxRounds: number
}

/** A key that the derivation gave, for one password and one set of parameters. */
export interface DerivedKey {
  /** A hash of the credentials and the parameters. */
  readonly fingerprint: string
  readonly key: Uint8Array
}

/** What the thread is to do with the file. */
export type Job =
  | { readonly kind: 'test' }
  | { readonly kind: 'list'; readonly query: VaultListQuery }
  | { readonly kind: 'read'; readonly id: string }
  | { readonly kind: 'write'; readonly item: VaultWrite }

/** What the thread gets for a job. */
export interface Work {
  readonly bytes: Uint8Array
  readonly password?: string
  readonly keyFile?: Uint8Array
  readonly limits: KeyCostLimits
  /** Used if it is for this file and these credentials. */
  readonly derivedKey?: DerivedKey
  readonly job: Job
}

/** By the kind of the job. */
export interface Outcomes {
  readonly test: VaultTest
  readonly list: VaultItems
  readonly read: { readonly item: VaultItem; readonly fields: readonly VaultField[] }
  /** With the new content of the file. */
  readonly write: { readonly item: VaultItem; readonly bytes: Uint8Array }
}

/** Why a job failed: an error of the contract, as plain data. */
export interface Failure {
  readonly code: string
  readonly details: Readonly<Record<string, unknown>>
}

/** The thread's answer to a job. The key is that of the content that was read or written last. */
export type Answer<Kind extends keyof Outcomes = keyof Outcomes> =
  | { readonly outcome: Outcomes[Kind]; readonly derivedKey: DerivedKey }
  | { readonly failure: Failure }

/** The name of the store in errors. */
export const vault = 'The KeePass database'
