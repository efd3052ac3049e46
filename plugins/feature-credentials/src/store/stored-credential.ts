import type { JsonObject } from '@agent-service/sdk'
import type { CredentialContent, CredentialOwner, CredentialSummary } from '@agent-service/sdk/services/credentials'
import { defineCollection } from '@agent-service/sdk/services/database'

/** A stored credential. */
export interface StoredCredential {
  /** `<plugin>/<id>`: a plugin's id has no slash, so ids of plugins cannot collide. */
  readonly id: string
  readonly plugin_id: string
  /** Null for the deployment. */
  readonly user_id: string | null
  readonly purpose: string
  readonly label: string
  readonly kind: CredentialContent['kind']
  readonly fields: readonly string[]
  readonly hint: string
  readonly details: JsonObject
  readonly state: CredentialSummary['state']
  readonly reason: string | null
  readonly created_at: string
  readonly changed_at: string
  readonly expires_at: string | null
  /** Increases with every new content, which identifies it. */
  readonly generation: number
  /**
   * The process that renews the tokens now, and until when others wait for it, in milliseconds
   * since 1970.
   */
  readonly renewal: { readonly holder: string; readonly until: number } | null
  /**
   * A renewal of this generation began and its outcome is unknown: tokens that the server issued
   * may be lost.
   */
  readonly renewal_unknown: boolean
  /** Sealed JSON of a {@link CredentialContent}. */
  readonly content: string
}

export const credentialEntries = defineCollection<StoredCredential>()({
  name: 'credentials.entries',
  version: 1,
  indexes: {
    by_owner: { fields: ['plugin_id', 'user_id', 'created_at'] },
    by_purpose: { fields: ['plugin_id', 'user_id', 'purpose', 'created_at'] },
    by_user: { fields: ['user_id'] },
  },
  userField: 'user_id',
  sealed: ['content'],
})

/** The id under which a plugin's credential is stored. */
export const storedId = (pluginId: string, id: string): string => `${pluginId}/${id}`

/** The owner of a stored credential. */
export const ownerOf = ({ user_id: userId }: Pick<StoredCredential, 'user_id'>): CredentialOwner =>
  userId === null ? 'deployment' : { userId }

/** The stored form of an owner. */
export const userIdOf = (owner: CredentialOwner): string | null => (owner === 'deployment' ? null : owner.userId)

/** Its metadata, without the content. */
export function summaryOf(record: StoredCredential): CredentialSummary {
  const { plugin_id: pluginId, reason, expires_at: expiresAt } = record
  return {
    owner: ownerOf(record),
    id: record.id.slice(pluginId.length + 1),
    purpose: record.purpose,
    label: record.label,
    kind: record.kind,
    fields: record.fields,
    hint: record.hint,
    details: record.details,
    state: record.state,
    ...(reason !== null && { reason }),
    createdAt: Date.parse(record.created_at),
    changedAt: Date.parse(record.changed_at),
    ...(expiresAt !== null && { expiresAt: Date.parse(expiresAt) }),
  }
}

/** The members of a record that describe its content without revealing it. */
export function membersOf(content: CredentialContent): Pick<StoredCredential, 'kind' | 'fields' | 'hint' | 'expires_at'> {
  if (content.kind === 'secret') {
    const [first = ''] = Object.values(content.fields)
    return { kind: 'secret', fields: Object.keys(content.fields), hint: hintOf(first), expires_at: null }
  }
  const { account, accessToken = '', expiresAt } = content.tokens ?? {}
  return {
    kind: 'oauth',
    fields: [],
    hint: hintOf(account ?? accessToken),
    expires_at: expiresAt === undefined ? null : new Date(expiresAt).toISOString(),
  }
}

/** All secret values of a content. */
export function secretsIn(content: CredentialContent): readonly string[] {
  if (content.kind === 'secret') return Object.values(content.fields)
  const { client, tokens } = content
  return [client?.clientSecret, tokens?.accessToken, tokens?.refreshToken].filter((value) => value !== undefined)
}

/** The last characters of a secret; empty if they would reveal too much of it. */
const hintOf = (secret: string): string => (secret.length < 12 ? '' : secret.slice(-4))
