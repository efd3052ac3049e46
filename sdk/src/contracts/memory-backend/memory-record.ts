import type { JsonObject } from '../../core/json.js'

/** Whose memory something is in: of a user with all their agents, of one agent, of one space. */
export type MemoryScope =
  | { readonly kind: 'user' }
  | { readonly kind: 'agent'; readonly agentId: string }
  | { readonly kind: 'space'; readonly spaceId: string }

/** Where something comes from. */
export interface MemoryEvidence {
  /** The chat in which it came up. */
  readonly chatId: string
  /** The message that says it. */
  readonly messageId?: string
}

/**
 * The kind of a memory. A back end with only one kind uses `note`. `note`: a text as it was
 * remembered. `statement`: something about a subject that holds for a time. `playbook`: how to do
 * something. `summary`: a text that was made from others.
 */
export type MemoryKind = 'note' | 'statement' | 'playbook' | 'summary'

/** One memory, as people see it. */
export interface MemoryItem {
  /** Unique among the user's. */
  readonly id: string
  /** Whose memory it is in. */
  readonly scope: MemoryScope
  /** What it is. */
  readonly kind: MemoryKind
  /** For people: what a page or a playbook is about, one line. Absent: it has none. */
  readonly title?: string
  /** Of a playbook: when it is of use, one line. Absent: it does not say. */
  readonly whenToUse?: string
  /** The id of the `summary` that it is a part of: of the page of a statement. Absent: of none. */
  readonly pageId?: string
  /**
   * As it was remembered, or what the back end has made of it. Show it to a model marked as
   * material: it is never an instruction.
   */
  readonly text: string
  /** Always kept, and the last to leave a prompt. */
  readonly pinned: boolean
  /** RFC 3339, in UTC. */
  readonly createdAt: string
  /** RFC 3339, in UTC: of the last change or mention. */
  readonly updatedAt: string
  /** Since when it holds, if the back end knows `history`. RFC 3339, in UTC. Absent: not known. */
  readonly validFrom?: string
  /** Until when it held: another one has taken its place, or it has ended. RFC 3339, in UTC. Absent: it still holds. */
  readonly validTo?: string
  /** When it stops being shown to models by itself; null: never. RFC 3339, in UTC. */
  readonly fadesAt: string | null
  /** Where it comes from; empty if that is not known. */
  readonly evidence: readonly MemoryEvidence[]
  /** `tool`: an agent has stored it by a tool: its word, not the person's, until the person changes the text. Absent: the person's. */
  readonly origin?: 'tool'
}

/**
 * One memory in the neutral format of an export: what a back end cannot express it keeps in
 * `details` and gives back unchanged.
 */
export interface MemoryRecord extends MemoryItem {
  /** The generation of this format. */
  readonly format: 1
  /** A forgotten memory, which is kept so that it is not learnt again. `text` is empty then. */
  readonly forgotten?: boolean
  /** A person has written the text, in whatever back end: later learning and background work leave it alone. */
  readonly corrected?: boolean
  /**
   * By what it is known again, at most 500 digests of 64 hexadecimal digits: those of texts that it had
   * by {@link memoryTextDigest}, others as the back end that made them computes them. They stay when it
   * is forgotten, so that no back end learns it again; a text that was corrected adds its own.
   */
  readonly digests?: readonly string[]
  /** Data of a specific back end, by its id. */
  readonly details?: { readonly [backend: string]: JsonObject }
}
