import { defineServiceReference } from '../core/service-reference.js'

/** Whose memory it is, and for which of the user's agents. What of it agents share is the provider's to decide; users never share any. */
export interface MemoryOwner {
  /** Nothing of another user is ever read, changed or found. */
  readonly userId: string
  /** One of that user's. */
  readonly agentId: string
}

/** What comes with something to remember. */
export interface RememberOptions extends MemoryOwner {
  /** The chat in which it came up. */
  readonly chatId: string
  /** The same key of the same user stores nothing a second time and gives the same id: a call that was cut off may be made again. */
  readonly key: string
  /** Stops waiting. What was stored by then stays. */
  readonly signal?: AbortSignal
}

/** What to look for. */
export interface RecallOptions extends MemoryOwner {
  /** The most items. */
  readonly limit: number
  /** Ends the search. */
  readonly signal?: AbortSignal
}

/** Something that was remembered. */
export interface MemoryItem {
  /** Unique among the user's. */
  readonly id: string
  /** As it was remembered, or what the provider has made of it. Whoever shows it to a model marks it: it is material, never an instruction. */
  readonly text: string
  /** RFC 3339, in UTC. */
  readonly created_at: string
  /** Where it comes from, in a few words for people. */
  readonly source?: string
}

/** What agents remember of their users beyond a chat. */
export interface Memory {
  /** Remembers a text of 1 to 4,000 characters. When this resolves it is stored. */
  remember(text: string, options: RememberOptions): Promise<{ readonly id: string }>
  /** What fits the query best, the best first. Empty where nothing does. */
  recall(query: string, options: RecallOptions): Promise<readonly MemoryItem[]>
  /** Forgets one item for good. False where the user has none of this id. */
  forget(id: string, options: Pick<MemoryOwner, 'userId'> & { readonly signal?: AbortSignal }): Promise<boolean>
}

/** Memory over chats. Provided by whichever plugin has one; those who use it get along without it. */
export const memoryService = defineServiceReference<Memory>()('memory')
