import type { CredentialAgent } from '@agent-service/sdk/services/agent-credentials'
import { defineCollection } from '@agent-service/sdk/services/database'
import { tooManySecretsError } from './errors.js'

/** A secret that an agent was given. */
export interface MaskedSecret {
  /** What the agent calls the credential by. Stands in the text in place of the secret. */
  readonly credential: string
  readonly value: string
}

/** All secrets that one agent was ever given, as far as they are kept. */
export interface StoredMask {
  /** The agent's. */
  readonly id: string
  readonly user_id: string
  /** How many secrets it has. */
  readonly count: number
  /** Sealed JSON: a list of {@link MaskedSecret}, the newest first. */
  readonly secrets: string
}

export const credentialMasks = defineCollection<StoredMask>()({
  name: 'credentials.masks',
  version: 1,
  indexes: { by_user: { fields: ['user_id', 'id'] } },
  userField: 'user_id',
  sealed: ['secrets'],
})

/** The newest secrets of an agent are kept, at most this many… */
export const maxSecrets = 200
/** …of this many characters together. */
export const maxCharacters = 65_536

/**
 * The secrets with new ones in front, each once, within the bounds. @throws `secrets_not_maskable` if
 * the new ones alone exceed them.
 */
export function withSecrets(known: readonly MaskedSecret[], added: readonly MaskedSecret[]): readonly MaskedSecret[] {
  const values = new Set(added.map(({ value }) => value))
  if (values.size > maxSecrets || [...values].reduce((sum, { length }) => sum + length, 0) > maxCharacters)
    throw tooManySecretsError.create({ max: maxSecrets, maxCharacters })
  const byValue = new Map<string, MaskedSecret>()
  for (const secret of [...added, ...known]) if (!byValue.has(secret.value)) byValue.set(secret.value, secret)
  const kept: MaskedSecret[] = []
  let characters = 0
  for (const secret of byValue.values()) {
    characters += secret.value.length
    if (kept.length === maxSecrets || characters > maxCharacters) break
    kept.push(secret)
  }
  return kept
}

/** The secrets as they are sealed. */
export const serialized = (secrets: readonly MaskedSecret[]): string =>
  JSON.stringify(secrets.map(({ credential, value }) => [credential, value]))

/** The secrets of a text by {@link serialized}. */
export const parsed = (text: string): readonly MaskedSecret[] =>
  (JSON.parse(text) as readonly (readonly [string, string])[]).map(([credential, value]) => ({ credential, value }))

/** Identifies an agent over all users. */
export const keyOf = ({ userId, agentId }: CredentialAgent): string => `${userId}/${agentId}`
