import { defineCollection } from '@agent-service/sdk/services/database'

/** What is granted: a credential that is kept here, or an item of a vault. */
export type GrantSource =
  | { readonly kind: 'local'; readonly credential_id: string }
  | { readonly kind: 'vault'; readonly vault_id: string; readonly item_id: string }

/** A field that the agent may use, and where processes find it. */
export interface GrantField {
  readonly name: string
  readonly secret: boolean
  readonly variable: string | null
  readonly as: 'value' | 'file'
}

/** The permission of one agent to use one credential. */
export interface Grant {
  readonly id: string
  readonly user_id: string
  readonly agent_id: string
  /** What the agent calls it by. Unique among those of the agent. */
  readonly name: string
  /** For people and the agent. */
  readonly title: string
  readonly source: GrantSource
  /** The id of the local credential or of the connection, for the index. */
  readonly source_id: string
  /** The fields that were there when it was granted: what is added later is not granted. */
  readonly fields: readonly GrantField[]
  /** It ends with its first use. */
  readonly once: boolean
  /** Null: until it is revoked. */
  readonly expires_at: string | null
  readonly created_at: string
  /** `answer`: the person's answer to a request of the agent. */
  readonly created_by: 'person' | 'answer'
  /** The call that asked, so that a repeated one makes no second grant. */
  readonly call_id: string | null
  readonly used_at: string | null
  readonly uses: number
}

export const grantCollection = defineCollection<Grant>()({
  name: 'agent_credentials.grants',
  version: 1,
  userField: 'user_id',
  indexes: {
    by_user: { fields: ['user_id', 'id'] },
    by_agent: { fields: ['user_id', 'agent_id', 'id'] },
    by_name: { fields: ['user_id', 'agent_id', 'name'], unique: true },
    by_source: { fields: ['source_id', 'id'] },
    by_expiry: { fields: ['expires_at'] },
  },
})

/** Whether its time is over at `now`. */
export const isExpired = ({ expires_at: expiresAt }: Pick<Grant, 'expires_at'>, now: number): boolean =>
  expiresAt !== null && Date.parse(expiresAt) <= now
