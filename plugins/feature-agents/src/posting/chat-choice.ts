import type { Transaction } from '@agent-service/sdk/services/database'
import { ownDocument } from '../common/own-document.js'
import { agentCollection } from '../store/agents/agent.js'
import type { Chat } from '../store/chats/chat.js'

/**
 * Who answers a message. It is stored with the message and becomes the choice of its chat, so that
 * no change on another way can come between. Absent members stay as the chat has them.
 */
export interface ChatChoice {
  readonly agentId?: string | undefined
  /** The model group; null: the agent's. */
  readonly model?: string | null | undefined
}

/** The chat with what was chosen; it is not stored. @throws `not_found` for an agent that is not the user's. */
export async function withChoice(transaction: Transaction, chat: Chat, { agentId, model }: ChatChoice): Promise<Chat> {
  if (agentId !== undefined) ownDocument('agent', await transaction.get(agentCollection, agentId), chat.user_id)
  return { ...chat, agent_id: agentId ?? chat.agent_id, model: model === undefined ? chat.model : model }
}

/** Whether the chat has another choice so far. */
export const changesChoice = (chat: Pick<Chat, 'agent_id' | 'model'>, { agentId, model }: ChatChoice): boolean =>
  (agentId !== undefined && agentId !== chat.agent_id) || (model !== undefined && model !== chat.model)
