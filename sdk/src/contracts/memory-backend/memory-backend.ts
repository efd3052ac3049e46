import type { Contribution } from '../../core/contribution-point.js'
import type { MemoryEvidence, MemoryItem, MemoryKind, MemoryRecord, MemoryScope } from './memory-record.js'
import type { MemoryScopeFilter } from './scope-filter.js'

/** Whose memory is read. */
export interface MemoryReader {
  /** Nothing of another user is ever read, changed or found. */
  readonly userId: string
  /**
   * One of that user's agents: its own memories count too. Absent: a person reads, and sees those
   * of all their agents and spaces.
   */
  readonly agentId?: string
  /** The space of the agent's chat: its memories count too. */
  readonly spaceId?: string
}

/** Something to remember. */
export interface NewMemory {
  /** Its owner. */
  readonly userId: string
  /** The memory that it belongs to. */
  readonly scope: MemoryScope
  /** 1 to 4,000 characters. */
  readonly text: string
  /** Its source. */
  readonly evidence?: MemoryEvidence
  /** `tool`: an agent stores it of its own accord. Default: the person does. */
  readonly origin?: 'tool'
  /**
   * A repeated key of the same user stores nothing and returns the same id, so an interrupted call
   * may be repeated; also when the memory has been changed or forgotten since.
   */
  readonly key: string
}

/** What to look for. */
export interface MemoryQuery extends MemoryReader {
  /** Words or a question, 1 to 1,000 characters. */
  readonly text: string
  /** The most hits; 1 to 1,000. */
  readonly limit: number
  /** Only of these kinds. Default: all. */
  readonly kinds?: readonly MemoryKind[]
  /** Only of this memory: the limit counts no others. Default: all that the reader sees. */
  readonly scope?: MemoryScopeFilter
  /** The state at this time, if the back end supports `history`. RFC 3339. Default: now. */
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
   * `messages`: it has new ones, or others by a change of its branch. `excluded`: its person wants
   * nothing of it remembered from here on. `included`: they do again, and nothing that was said before is
   * to be learnt. `deleted`: it was deleted, for
   * good; memories whose evidence is all of it are forgotten, unless they are pinned or corrected.
   */
  readonly reason: 'messages' | 'excluded' | 'included' | 'deleted'
  /** RFC 3339, in UTC. */
  readonly at: string
}

/** A person's changes of a memory. Absent members stay. */
export interface MemoryChange {
  /** The new text: a correction, which later learning does not overwrite. */
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

/** The result of one sweep. */
export interface MemorySweep {
  /** How many users had pending work. */
  readonly users: number
  /** Whether there is more to do at once, so that the next sweep need not wait. */
  readonly more: boolean
}

/** One pass of background work over a part of a chat. */
export interface MemoryPass {
  /** Unique among the user's. */
  readonly id: string
  /** The chat that it reads. */
  readonly chatId: string
  /** `waiting`: for its next attempt. The last three never change by themselves. */
  readonly state: 'running' | 'waiting' | 'done' | 'abandoned' | 'failed'
  /** The stage that it is in, or at which it ended: one word. */
  readonly stage: string
  /** How often this stage was tried, from 1. */
  readonly attempt: number
  /** Why the last attempt failed, for people; null: it did not. */
  readonly error: string | null
  /** When it is tried again; null: it is not waiting. RFC 3339, in UTC. */
  readonly nextAttemptAt: string | null
  /** RFC 3339, in UTC. */
  readonly startedAt: string
  /** RFC 3339, in UTC; null: it goes on. */
  readonly finishedAt: string | null
}

/** Memories as they were before background work replaced them. */
export interface MemoryRevision {
  /** Unique among the user's. */
  readonly id: string
  /** The memory that was rewritten. */
  readonly scope: MemoryScope
  /** The text that was replaced, for people. */
  readonly text: string
  /** RFC 3339, in UTC. */
  readonly replacedAt: string
  /** Until when it can be brought back. RFC 3339, in UTC. */
  readonly expiresAt: string
}

/** The result of an import. */
export interface MemoryImport {
  /** The number of imported records. */
  readonly records: number
}

/**
 * Keeps what agents know about their users across chats. `remember`, `change`, `forget` and
 * `import` have stored when they resolve. Everything may be called by several chats of a user at
 * once. Answers have the members of this contract alone, and stay as they were given while memories
 * change.
 */
export interface MemoryBackend extends Contribution {
  /** The generation of this contract that the back end is written for. */
  readonly specVersion: 1
  /** What `memory.backend` picks it by: `basic`. */
  readonly id: string
  /** For people. One line. */
  readonly title: string
  /**
   * `history`: it knows what held at another time (`asOf`). `sweep`: it has {@link
   * MemoryBackend.sweep}. `passes`: it has {@link MemoryBackend.passes} and {@link
   * MemoryBackend.retryPass}. `revisions`: it has {@link MemoryBackend.revisions} and {@link
   * MemoryBackend.restore}.
   */
  readonly supports: { readonly history: boolean; readonly sweep: boolean; readonly passes: boolean; readonly revisions: boolean }
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
  /** The best matches of a query, the best first. May be empty. */
  search(query: MemoryQuery, options: { readonly signal: AbortSignal }): Promise<readonly MemoryHit[]>
  /**
   * Forgets a memory, and does not learn it again by itself. False if the user does not have this
   * id.
   */
  forget(id: string, options: { readonly userId: string; readonly signal: AbortSignal }): Promise<boolean>
  /**
   * Records a change of a chat; `sweep` processes it. Fast. A change may be reported twice, late,
   * or out of order.
   */
  chatChanged(change: MemoryChatChange, options: { readonly signal: AbortSignal }): Promise<void>
  /**
   * Does pending work: compacts, consolidates, expires. Called regularly by one process of a
   * deployment; stops when aborted and continues next time. It tells `changed` of each user whose
   * memories it has changed, once that is stored and before it goes on, so that their next prompt has
   * it; what it does not tell appears there a minute later.
   */
  sweep?(options: { readonly signal: AbortSignal; changed?(userId: string): Promise<void> }): Promise<MemorySweep>
  /**
   * The memories of a user, for people. @throws an error with the code `cursor_invalid` for a cursor
   * that it did not give.
   */
  list(
    reader: MemoryReader,
    options: {
      readonly limit: number
      readonly cursor?: string
      readonly kinds?: readonly MemoryKind[]
      /** Only of this memory: a page has no fewer for it. Default: all that the reader sees. */
      readonly scope?: MemoryScopeFilter
      /** Only the parts of this page. Default: all. */
      readonly pageId?: string
      /** The state at this time, if the back end supports `history`. RFC 3339. Default: now. */
      readonly asOf?: string
      readonly signal: AbortSignal
    },
  ): Promise<MemoryPage>
  /**
   * One memory that the reader sees, also one that no longer holds or has faded. Undefined for one that is
   * forgotten, that the reader does not see, or that is not there.
   */
  get(id: string, reader: MemoryReader, options: { readonly signal: AbortSignal }): Promise<MemoryItem | undefined>
  /** Changes a memory for a person: a new text is `corrected`. Undefined if the user has none of this id. */
  change(
    id: string,
    change: MemoryChange,
    options: { readonly userId: string; readonly signal: AbortSignal },
  ): Promise<MemoryItem | undefined>
  /**
   * Everything of a user in the neutral format, forgotten ones too. In an order that stays while
   * nothing changes.
   */
  export(userId: string, options: { readonly signal: AbortSignal }): AsyncIterable<MemoryRecord>
  /**
   * Takes in what an export gave, also that of another back end. A record takes the place of what has
   * its id, unless that was updated later. The same records again change nothing, so a cut import is
   * made again from the start. @throws what reading the records throws.
   */
  import(userId: string, records: AsyncIterable<MemoryRecord>, options: { readonly signal: AbortSignal }): Promise<MemoryImport>
  /** The passes of background work of a user, the newest first. */
  passes?(
    userId: string,
    options: { readonly limit: number; readonly cursor?: string; readonly signal: AbortSignal },
  ): Promise<{ readonly items: readonly MemoryPass[]; readonly nextCursor?: string }>
  /**
   * Has a pass that was abandoned or has failed tried again by a next sweep. False if the user has
   * no such pass of this id.
   */
  retryPass?(id: string, options: { readonly userId: string; readonly signal: AbortSignal }): Promise<boolean>
  /** What can be brought back, the newest first; at most 100. */
  revisions?(userId: string, options: { readonly signal: AbortSignal }): Promise<readonly MemoryRevision[]>
  /**
   * Brings a revision back in place of what was made of it; what was remembered since stays. False
   * if the user has none of this id, or it has expired.
   */
  restore?(id: string, options: { readonly userId: string; readonly signal: AbortSignal }): Promise<boolean>
  /** Erases everything of a user. May be called again, and for a user who has nothing. */
  erase(userId: string, options: { readonly signal: AbortSignal }): Promise<void>
}
