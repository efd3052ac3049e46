import type { ContributionDefinition } from '../../core/contribution-point.js'
import type { ChatPart } from './chat-part.js'

/**
 * Makes a part of chats.
 *
 * @example
 * const notes = new Map<string, string>()
 * defineChatPart({
 *   id: 'chat-notes',
 *   title: 'Notes',
 *   export: async ({ chatId }) => notes.get(chatId),
 *   import: async ({ chatId }, data) => void notes.set(chatId, String(data)),
 *   erase: async ({ chatId }) => void notes.delete(chatId),
 * })
 */
export function defineChatPart(definition: ContributionDefinition<ChatPart>): ChatPart {
  return Object.freeze<ChatPart>({ ...definition, specVersion: 1 })
}
