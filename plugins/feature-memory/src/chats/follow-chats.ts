import type { Logger } from '@agent-service/sdk'
import type { MemoryChatChange } from '@agent-service/sdk/contracts/memory-backend'
import type { Agents } from '@agent-service/sdk/services/agents'
import type { Chats } from '@agent-service/sdk/services/chats'
import type { DeliveredEvent, EventSubscription } from '@agent-service/sdk/services/events'
import type { Memories } from '../backend/memories.js'
import type { ChatChoices } from './chat-choice.js'

/** A chat that is gone has no agent any more. */
const noAgent = ''

/**
 * Tells the back end what happens in chats, also in those of a time when it did not run: every
 * change waits until it has been told. Chats in which agents talk to agents are left out, as are
 * those of agents without memory, those in which guests write, and those that are not to be remembered.
 */
export function createChatSubscription(dependencies: {
  readonly memories: Pick<Memories, 'chatChanged'>
  readonly chats: Pick<Chats, 'messages'>
  readonly agents: Pick<Agents, 'details'>
  readonly choices: Pick<ChatChoices, 'isRemembered' | 'decisions'>
  readonly log: Logger
}): EventSubscription {
  const { memories, chats, agents, choices, log } = dependencies

  /** The change of a chat that is there; undefined for one of which nothing is learnt. */
  const changeIn = async (
    { userId, chatId, at, reason }: Pick<MemoryChatChange, 'userId' | 'chatId' | 'at' | 'reason'>,
    signal: AbortSignal,
  ): Promise<MemoryChatChange | undefined> => {
    const chat = await chats.messages({ userId, chatId, from: 0, limit: 0 }, { signal })
    if (chat === undefined || chat.hidden || chat.guests) return undefined
    if (reason === 'messages') {
      if (chat.messageCount === 0) return undefined
      if (!(await choices.isRemembered(userId, chatId))) return undefined
      if ((await agents.details(userId, chat.agentId))?.memory.enabled !== true) return undefined
    }
    return { userId, chatId, agentId: chat.agentId, spaceId: chat.spaceId, reason, at }
  }

  const changeOf = async (event: DeliveredEvent, signal: AbortSignal): Promise<MemoryChatChange | undefined> => {
    const { userId, recordedAt: at, name, data } = event
    const { chat_id: chatId, change } = data
    if (typeof chatId !== 'string') return undefined
    // One that can be restored leaves no traces only once it is gone for good: forgetting cannot be undone.
    if (name === 'chat.deleted' && typeof data['erased_at'] === 'string') return undefined
    if (name === 'chat.deleted') return { userId, chatId, agentId: noAgent, spaceId: null, reason: 'deleted', at }
    if (name !== 'memory.updated') return changeIn({ userId, chatId, at, reason: 'messages' }, signal)
    return change === 'excluded' || change === 'included' ? changeIn({ userId, chatId, at, reason: change }, signal) : undefined
  }

  return {
    id: 'chats',
    names: ['chat.created', 'chat.updated', 'chat.deleted', 'memory.updated'],
    maxAgeSeconds: 30 * 86_400,
    maxEvents: 100_000,
    maxAttempts: 100,
    timeoutSeconds: 60,
    async handle(event, { signal }) {
      if (event.kind === 'event') {
        const change = await changeOf(event, signal)
        if (change) await memories.chatChanged(change, signal)
        return
      }
      log.warn('Memory has missed changes of chats; what was said in them is learnt with their next message.', {
        user: event.userId,
        lost: event.lost,
        until: event.until,
      })
      if (event.userId === null) return
      for await (const { chatId, reason, at } of choices.decisions(event.userId)) {
        const change = await changeIn({ userId: event.userId, chatId, at, reason }, signal)
        if (change) await memories.chatChanged(change, signal)
      }
    },
  }
}
