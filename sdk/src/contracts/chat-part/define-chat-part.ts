import type { ContributionDefinition } from '../../core/contribution-point.js'
import type { ChatPart } from './chat-part.js'

/** Makes a part of chats. */
export function defineChatPart(definition: ContributionDefinition<ChatPart>): ChatPart {
  return Object.freeze<ChatPart>({ ...definition, specVersion: 1 })
}
