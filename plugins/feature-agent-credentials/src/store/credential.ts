import { defineCollection } from '@agent-service/sdk/services/database'

/** A field of a local credential without its value. */
export interface CredentialField {
  readonly name: string
  /** Otherwise its owner may see the value, such as a user name. */
  readonly secret: boolean
  /** The variable that new grants bind it to. Null: one is derived from the names. */
  readonly variable: string | null
  readonly as: 'value' | 'file'
}

/** A credential that a person keeps in the service. */
export interface LocalCredential {
  readonly id: string
  readonly user_id: string
  /** What agents call it by, unless a grant says otherwise. Unique among those of the user. */
  readonly name: string
  /** For people. */
  readonly title: string
  readonly fields: readonly CredentialField[]
  readonly created_at: string
  readonly changed_at: string
  /** When its values were last replaced. */
  readonly values_changed_at: string
  /** Sealed JSON: the values by the names of the fields. */
  readonly values: string
}

export const credentialCollection = defineCollection<LocalCredential>()({
  name: 'agent_credentials.credentials',
  version: 1,
  userField: 'user_id',
  indexes: {
    by_user: { fields: ['user_id', 'id'] },
    by_name: { fields: ['user_id', 'name'], unique: true },
  },
  sealed: ['values'],
})
