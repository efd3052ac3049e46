import type { Schemas } from '../api/index.js'

export type Credential = Schemas['PersonalCredential']
export type Grant = Schemas['CredentialGrant']
export type GrantSource = Grant['source']

/** A field as far as it is known: of an item of a vault only some names are. */
export interface SourceField {
  readonly name: string
  readonly secret?: boolean
  readonly variable?: string | null
  readonly as?: 'value' | 'file'
}

/** What can be granted: a credential of the person, or an item of a vault. */
export interface Source {
  /** Unique among all of them. */
  readonly key: string
  readonly source: GrantSource
  /** What agents call it by, if a grant says nothing else; `undefined`: it is made of the title. */
  readonly name: string | undefined
  readonly title: string
  readonly fields: readonly SourceField[]
  /** The record, of one that is kept here. */
  readonly credential: Credential | undefined
  /** The title of the vault that it is from; null: the vault is not there, or not permitted any more. */
  readonly vault: string | null | undefined
  readonly grants: readonly Grant[]
}
