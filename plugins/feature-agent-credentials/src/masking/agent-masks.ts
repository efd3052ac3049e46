import type { CredentialAgent, SecretMask } from '@agent-service/sdk/services/agent-credentials'
import type { Database } from '@agent-service/sdk/services/database'
import type { SealedFields, Secrets } from '@agent-service/sdk/services/secrets'
import { checkSecret } from './check-secret.js'
import { createKnownAgents, type KnownAgent } from './known-agents.js'
import { maskTexts } from './mask-texts.js'
import { credentialMasks, keyOf, type MaskedSecret, parsed, type StoredMask, serialized, withSecrets } from './masked-secrets.js'
import { compileMatcher } from './matcher/compile-matcher.js'
import { createSecretMask } from './secret-mask.js'

/** The secrets of agents: stored, and ready to be found. */
export interface AgentMasks {
  /** Stores secrets and makes all masks of the agent find them, before it resolves. */
  remember(agent: CredentialAgent, secrets: readonly MaskedSecret[]): Promise<void>
  /** A mask for one text. */
  mask(agent: CredentialAgent): Promise<SecretMask>
  /** Whether the agent was given no secret. */
  isEmpty(agent: CredentialAgent): Promise<boolean>
  /** As `maskTexts`, with the secrets of the agent. */
  maskTexts(agent: CredentialAgent, texts: readonly string[]): Promise<readonly string[]>
  forget(agent: CredentialAgent): Promise<void>
}

export function createAgentMasks(dependencies: {
  readonly database: Database
  readonly sealedFields: SealedFields
  readonly secrets: Pick<Secrets, 'protect'>
}): AgentMasks {
  const { database, sealedFields, secrets: live } = dependencies
  const collection = database.collection(credentialMasks)
  const known = createKnownAgents()
  const open = async ({ id, secrets }: StoredMask): Promise<readonly MaskedSecret[]> =>
    parsed(await sealedFields.open(secrets, placeOf(id)))

  /** The agent with its secrets as they are stored now. */
  const current = async (agent: CredentialAgent): Promise<KnownAgent> => {
    const entry = await collection.getEntry(agent.agentId)
    const own = entry?.document.user_id === agent.userId ? entry : undefined
    return known.at(keyOf(agent), own?.revision ?? 0, async () => {
      const secrets = own ? await open(own.document) : []
      // After a restart the log has to learn them again.
      for (const { value } of secrets) live.protect(value)
      return { values: new Set(secrets.map(({ value }) => value)), matcher: await compileMatcher(secrets) }
    })
  }

  return {
    async remember(agent, secrets) {
      for (const secret of secrets) checkSecret(secret)
      for (const { value } of secrets) live.protect(value)
      const { userId, agentId } = agent
      if (secrets.every(({ value }) => known.find(keyOf(agent))?.values.has(value))) {
        // Another process may have removed them.
        const { values } = await current(agent)
        if (secrets.every(({ value }) => values.has(value))) return
      }
      await database.transaction(async (transaction) => {
        const stored = await transaction.get(credentialMasks, agentId)
        const all = withSecrets(stored?.user_id === userId ? await open(stored) : [], secrets)
        const sealed = await sealedFields.seal(serialized(all), placeOf(agentId))
        transaction.put(credentialMasks, { id: agentId, user_id: userId, count: all.length, secrets: sealed })
      })
      await current(agent)
    },
    async mask(agent) {
      const holder = await current(agent)
      return createSecretMask(() => holder.matcher)
    },
    maskTexts: async (agent, texts) => maskTexts(texts, (await current(agent)).matcher),
    isEmpty: async (agent) => (await current(agent)).values.size === 0,
    async forget(agent) {
      const { userId, agentId } = agent
      await database.transaction(async (transaction) => {
        if ((await transaction.get(credentialMasks, agentId))?.user_id === userId) transaction.delete(credentialMasks, agentId)
      })
      known.forget(keyOf(agent))
    },
  }
}

const placeOf = (id: string) => ({ collection: credentialMasks, id, field: 'secrets' })
