import type { Connection } from '../store/connection.js'
import type { Conversation } from '../store/conversation.js'

/** How a message is settled, and what that leads to. */
export interface Settlement {
  readonly outcome: string
  readonly connection?: Connection
  readonly conversation?: Conversation
  readonly change?: (conversation: Conversation) => Conversation
  /** What the service says in return. */
  readonly notice?: string
}
