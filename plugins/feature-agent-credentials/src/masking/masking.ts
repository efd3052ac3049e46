import type { AgentRunHook } from '@agent-service/sdk/contracts/agent-run-hook'
import type { CredentialAgent, SecretMask } from '@agent-service/sdk/services/agent-credentials'
import { type CollectionDefinition, type Database, documentsOf } from '@agent-service/sdk/services/database'
import type { SealedFields, Secrets } from '@agent-service/sdk/services/secrets'
import { createAgentMasks } from './agent-masks.js'
import { checkSecret } from './check-secret.js'
import { createMaskHook } from './mask-hook.js'
import { credentialMasks, type MaskedSecret, type StoredMask } from './masked-secrets.js'

/**
 * Masks the secrets that agents were given. It knows them until the agent or the user is deleted:
 * also after a restart, and after a credential was revoked or replaced.
 */
export interface Masking {
  /**
   * Makes secret values of credentials masked in everything of the agent, and in the log. Durable
   * before it resolves: values may be handed out then. Fields that are no secrets are not given
   * here. @throws `secret_not_maskable`, `secrets_not_maskable`; then nothing is remembered.
   */
  remember(agent: CredentialAgent, secrets: readonly MaskedSecret[]): Promise<void>
  /** @throws `secret_not_maskable` if {@link remember} would refuse this value. For forms that store secrets. */
  check(secret: MaskedSecret): void
  /** A mask for one text that comes in pieces. It also knows secrets that are remembered while it is in use. */
  mask(agent: CredentialAgent): Promise<SecretMask>
  /** Masks everything of the agent's runs. Contributed to `agent.run-hook`. */
  readonly hook: AgentRunHook
  /** Forgets the secrets of an agent that is deleted. */
  forgetAgent(agent: CredentialAgent): Promise<void>
  /** Forgets the secrets of all agents of a user. */
  forgetUser(userId: string, options: { readonly signal: AbortSignal }): Promise<void>
  /** Records and bytes of a user. */
  size(userId: string, options: { readonly signal: AbortSignal }): Promise<{ readonly records: number; readonly bytes: number }>
}

/** What {@link createMasking} needs. */
export interface MaskingDependencies {
  readonly database: Database
  readonly sealedFields: SealedFields
  readonly secrets: Pick<Secrets, 'protect'>
}

/** The collections of masking, for `definePlugin` and the plugin's `user.data`. */
export const maskingCollections: readonly CollectionDefinition[] = [credentialMasks]

export function createMasking(dependencies: MaskingDependencies): Masking {
  const { database } = dependencies
  const masks = createAgentMasks(dependencies)
  return {
    remember: (agent, secrets) => masks.remember(agent, secrets),
    check: checkSecret,
    mask: (agent) => masks.mask(agent),
    hook: createMaskHook(masks),
    forgetAgent: (agent) => masks.forget(agent),
    async forgetUser(userId, { signal }) {
      for await (const { id } of recordsOf(database, userId, signal)) await masks.forget({ userId, agentId: id })
    },
    async size(userId, { signal }) {
      let [records, bytes] = [0, 0]
      for await (const record of recordsOf(database, userId, signal)) {
        records += 1
        bytes += Buffer.byteLength(JSON.stringify(record))
      }
      return { records, bytes }
    },
  }
}

const recordsOf = (database: Database, userId: string, signal: AbortSignal): AsyncIterable<StoredMask> =>
  documentsOf(database, credentialMasks, { index: 'by_user', equals: [userId], signal, pageSize: 50 })
