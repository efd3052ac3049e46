import type { Contribution } from '../../core/contribution-point.js'
import type { MemoryEvidence, MemoryItem, MemoryKind, MemoryRecord, MemoryScope } from './memory-record.js'

/** Whose memory is read. */
export interface MemoryReader {
  /** Nothing of another user is ever read, changed or found. */
  readonly userId: string
  /** One of that user's agents: its own memories count too. Absent: a person looks, and sees those of all their agents. */
  readonly agentId?: string
  /** The space of the chat: its memories count too. */
  readonly spaceId?: string
}

/** Something to remember. */
export interface NewMemory {
  /** Whose it is. */
  readonly userId: string
  /** Whose memory it goes into. */
  readonly scope: MemoryScope
  /** 1 to 4,000 characters. */
  readonly text: string
  /** Where it came up. */
  readonly evidence?: MemoryEvidence
  /**
   * The same key of the same user stores nothing a second time and gives the same id: a call that was cut off may be made again.
   */
  readonly key: string
}

/** What to look for. */
export interface MemoryQuery extends MemoryReader {
  /** Words or a question, 1 to 1,000 characters. */
  readonly text: string
  /** The most hits; 1 to 100. */
  readonly limit: number
  /** Only of these kinds. Default: all. */
  readonly kinds?: readonly MemoryKind[]
  /** What held at this time, if the back end supports `history`. RFC 3339. Default: now. */
  readonly asOf?: string
}

/** A memory that fits a query. */
export interface MemoryHit {
  /** What fits. */
  readonly item: MemoryItem
  /** How well, higher is better; of use only beside others of the same answer. */
  readonly score: number
}

/** A chat in which something has happened. */
export interface MemoryChatChange {
  /** Whose chat it is. */
  readonly userId: string
  /** The chat. */
  readonly chatId: string
  /** Its agent. */
  readonly agentId: string
  /** Its space. */
  readonly spaceId: string | null
  /**
   * `messages`: it has new ones, or others by a change of its branch. `excluded`: its person wants nothing of it remembered from
   * here on. `included`: they do again. `deleted`: it is gone, and what rests on it alone is forgotten.
   */
  readonly reason: 'messages' | 'excluded' | 'included' | 'deleted'
  /** RFC 3339, in UTC. */
  readonly at: string
}

/** What people change about a memory. What is absent stays. */
export interface MemoryChange {
  /** What it says instead: a correction, which nothing that is learnt later overwrites. */
  readonly text?: string
  /** Whether it is pinned. */
  readonly pinned?: boolean
}

/** One page of a list. */
export interface MemoryPage {
  /** Those changed last come first. */
  readonly items: readonly MemoryItem[]
  /** Present where more follows. */
  readonly nextCursor?: string
}

/** What one sweep has done. */
export interface MemorySweep {
  /** How many users had something to do. */
  readonly users: number
  /** Whether there is more to do at once, so that the next sweep need not wait. */
  readonly more: boolean
}

/** What was taken in. */
export interface MemoryImport {
  /** Records that are there now. */
  readonly records: number
}

/**
 * Keeps what agents know of their people from one chat to the next. `remember`, `change`, `forget` and `import` have stored when
 * they resolve. Everything may be called by several chats of a user at once.
 */
export interface MemoryBackend extends Contribution {
  /** The generation of this contract that the back end is written for. */
  readonly specVersion: 1
  /** What `memory.backend` picks it by: `basic`. */
  readonly id: string
  /** For people. One line. */
  readonly title: string
  /** `history`: it knows what held at another time (`asOf`). `sweep`: it has {@link MemoryBackend.sweep}. */
  readonly supports: { readonly history: boolean; readonly sweep: boolean }
  /**
   * What an agent reads of its memories with each model call: whole memories only, pinned ones
   * first, within `maxTokens` as estimated by the caller's measure of 4 characters a token. The
   * same while nothing changes, so that it stays cached. Undefined: nothing.
   */
  promptText(
    reader: MemoryReader & { readonly agentId: string; readonly maxTokens: number },
    options: { readonly signal: AbortSignal },
  ): Promise<string | undefined>
  /** Remembers a text. One that was forgotten before is remembered again: it was said again. */
  remember(memory: NewMemory, options: { readonly signal: AbortSignal }): Promise<{ readonly id: string }>
  /** What fits a query best, the best first. Empty if nothing does. */
  search(query: MemoryQuery, options: { readonly signal: AbortSignal }): Promise<readonly MemoryHit[]>
  /** Forgets a memory, and does not learn it again by itself. False if the user has none of this id. */
  forget(id: string, options: { readonly userId: string; readonly signal: AbortSignal }): Promise<boolean>
  /**
   * Takes notice of a change of a chat; what it makes of it, it makes in `sweep`. Quick. A notice may come twice, late, or out of
   * order.
   */
  chatChanged(change: MemoryChatChange, options: { readonly signal: AbortSignal }): Promise<void>
  /**
   * Does what is due: compacts, consolidates, lets fade. Called now and then by one process of a deployment; stops when aborted
   * and goes on next time.
   */
  sweep?(options: { readonly signal: AbortSignal }): Promise<MemorySweep>
  /** The memories of a user, for people. */
  list(
    reader: MemoryReader,
    options: { readonly limit: number; readonly cursor?: string; readonly kinds?: readonly MemoryKind[]; readonly signal: AbortSignal },
  ): Promise<MemoryPage>
  /** Changes a memory for a person. Undefined if the user has none of this id. */
  change(
    id: string,
    change: MemoryChange,
    options: { readonly userId: string; readonly signal: AbortSignal },
  ): Promise<MemoryItem | undefined>
  /** Everything of a user in the neutral format, forgotten ones too. In an order that stays while nothing changes. */
  export(userId: string, options: { readonly signal: AbortSignal }): AsyncIterable<MemoryRecord>
  /**
   * Takes in what an export gave, also that of another back end. The same records again change nothing, so a cut import is made
   * again from the start.
   */
  import(userId: string, records: AsyncIterable<MemoryRecord>, options: { readonly signal: AbortSignal }): Promise<MemoryImport>
  /** Erases everything of a user. May be called again, and for a user who has nothing. */
  erase(userId: string, options: { readonly signal: AbortSignal }): Promise<void>
}
