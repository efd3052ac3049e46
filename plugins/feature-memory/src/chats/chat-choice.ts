import { type CollectionDefinition, type Database, defineCollection, type Transaction } from '@agent-service/sdk/services/database'

/** A chat that is not to be remembered, or was not once. Other chats have none. */
interface StoredChoice {
  /** The chat's. */
  readonly id: string
  readonly user_id: string
  /** RFC 3339. */
  readonly since: string
  /** It is remembered again from here on; what was said before is not. RFC 3339. Absent: it is not. */
  readonly until?: string
}

export const chatChoiceCollection = defineCollection<StoredChoice>()({
  name: 'memory.excluded_chats',
  version: 1,
  userField: 'user_id',
  indexes: { by_user: { fields: ['user_id', 'id'] } },
})

export const collections: readonly CollectionDefinition[] = [chatChoiceCollection]

/** Which chats are not to be remembered. Asks nobody whether the chat exists. */
export interface ChatChoices {
  /** Whether something of this chat may be remembered. */
  isRemembered(userId: string, chatId: string): Promise<boolean>
  /** Sets it, with a transaction of the caller. True if that changed something. */
  set(transaction: Transaction, choice: ChatChoice): Promise<boolean>
  /** All that are not to be remembered. */
  excluded(userId: string): AsyncIterable<Decision>
  /** Those and the ones that are again, for a back end that has missed that: the last decision about each. */
  decisions(userId: string): AsyncIterable<Decision>
  /** Whether it was not to be remembered once, and is again. */
  isRememberedAgain(userId: string, chatId: string): Promise<boolean>
  /** Forgets the choice with its chat. */
  remove(userId: string, chatId: string): Promise<void>
}

/** What a person has decided about a chat. */
export interface Decision {
  readonly chatId: string
  readonly reason: 'excluded' | 'included'
  /** RFC 3339. */
  readonly at: string
}

export interface ChatChoice {
  readonly userId: string
  readonly chatId: string
  readonly remember: boolean
  /** RFC 3339. */
  readonly at: string
}

export function createChatChoices(database: Database): ChatChoices {
  const stored = database.collection(chatChoiceCollection)
  return {
    async isRemembered(userId, chatId) {
      const choice = await stored.get(chatId)
      return choice === undefined || choice.user_id !== userId || choice.until !== undefined
    },
    async isRememberedAgain(userId, chatId) {
      const choice = await stored.get(chatId)
      return choice?.user_id === userId && choice.until !== undefined
    },
    async set(transaction, { userId, chatId, remember, at }) {
      const choice = await transaction.get(chatChoiceCollection, chatId)
      const isExcluded = choice !== undefined && choice.user_id === userId && choice.until === undefined
      if (isExcluded !== remember) return false
      if (remember) transaction.put(chatChoiceCollection, { ...choice, id: chatId, user_id: userId, since: choice?.since ?? at, until: at })
      else transaction.put(chatChoiceCollection, { id: chatId, user_id: userId, since: at })
      return true
    },
    async *excluded(userId) {
      for await (const decision of this.decisions(userId)) if (decision.reason === 'excluded') yield decision
    },
    async *decisions(userId) {
      let cursor: string | undefined
      do {
        const query = { index: 'by_user', equals: [userId], limit: 200, ...(cursor !== undefined && { cursor }) }
        const page = await stored.query(query)
        for (const { id, since, until } of page.items)
          yield { chatId: id, reason: until === undefined ? 'excluded' : 'included', at: until ?? since }
        cursor = page.nextCursor
      } while (cursor !== undefined)
    },
    async remove(userId, chatId) {
      if ((await stored.get(chatId))?.user_id === userId) await stored.delete(chatId)
    },
  }
}
