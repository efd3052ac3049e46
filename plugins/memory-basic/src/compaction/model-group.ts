import type { MemoryScope } from '@agent-service/sdk/contracts/memory-backend'
import type { Agents } from '@agent-service/sdk/services/agents'
import type { Chats } from '@agent-service/sdk/services/chats'
import type { Inference } from '@agent-service/sdk/services/inference'
import type { MemorySettings } from '@agent-service/sdk/services/memory-settings'
import type { StoredMemory } from '../store/collections.js'

/** What the choice of a model goes by. */
export interface ModelGroupParts {
  readonly inference: Pick<Inference, 'groups'>
  readonly agents: Pick<Agents, 'details'>
  readonly chats: Pick<Chats, 'messages'>
  readonly settings: Pick<MemorySettings, 'model_group'>
}

const maxChats = 5

/**
 * The group that compacts memories: that of the settings where it is defined; else that of the agent
 * whose memories they are, or who wrote last in a chat that they come from; else `primary`.
 */
export async function modelGroupOf(
  parts: ModelGroupParts,
  { userId, scope, notes }: { readonly userId: string; readonly scope: MemoryScope; readonly notes: readonly StoredMemory[] },
  signal: AbortSignal,
): Promise<string> {
  const { model_group: wanted } = parts.settings
  if (parts.inference.groups().some(({ name }) => name === wanted)) return wanted
  if (scope.kind === 'agent') return (await parts.agents.details(userId, scope.agentId))?.modelGroup ?? 'primary'
  const chatIds = [...notes].reverse().flatMap(({ evidence }) => evidence.map(({ chatId }) => chatId))
  for (const chatId of [...new Set(chatIds)].slice(0, maxChats)) {
    const chat = await parts.chats.messages({ userId, chatId, from: 0, limit: 0 }, { signal })
    const group = chat && (await parts.agents.details(userId, chat.agentId))?.modelGroup
    if (group !== undefined) return group
  }
  return 'primary'
}
