import type { JsonObject } from '@agent-service/sdk'
import type { MemoryEvidence, MemoryKind, MemoryScope } from '@agent-service/sdk/contracts/memory-backend'
import { defineCollection } from '@agent-service/sdk/services/database'

/** Who says so: a person by hand, a person in a chat, or an agent with the result of a tool. */
export type Origin = 'person' | 'chat' | 'tool'

/** What all memories have. */
interface MemoryBase {
  /** The id of the document. */
  readonly id: string
  readonly user_id: string
  /** The id for others: unique among the user's. */
  readonly memory_id: string
  readonly scope: MemoryScope
  /** Empty if it was forgotten. */
  readonly text: string
  readonly pinned: boolean
  readonly created_at: string
  readonly updated_at: string
  readonly evidence: readonly MemoryEvidence[]
  readonly origin: Origin
  /** Digests of the words in chats that it was learnt from. */
  readonly sources: readonly string[]
  /** Digests of what is not learnt again since a person forgot or corrected it here. */
  readonly buried: readonly string[]
  /** Kept so that it is not learnt again. */
  readonly forgotten: boolean
  /** What other back ends keep in the neutral format; given back unchanged. */
  readonly foreign: Readonly<Record<string, JsonObject>> | null
}

/** What a short memory is about. */
export type ShortKind = 'fact' | 'preference' | 'event' | 'commitment' | 'opinion' | 'question'

/** One sentence that fades unless it comes up again. */
export interface ShortMemory extends MemoryBase {
  readonly type: 'short'
  readonly kind: ShortKind
  /** The kind under which others see it: that of another back end, if it comes from one. */
  readonly shown_kind: MemoryKind
  readonly title: string | null
  readonly page_id: string | null
  /** Of the last mention. */
  readonly last_seen_at: string
  readonly reinforcements: number
  /** 0 to 1. */
  readonly weight: number
  /** It was always shown by the back end that it comes from: it ranks by age, but never drops out. */
  readonly lasting: boolean
  readonly valid_from: string | null
  readonly valid_to: string | null
  readonly superseded_by: string | null
  /** The statement that says the same, if there is one. */
  readonly statement_id: string | null
  /** Digests of the keys by which it was remembered. */
  readonly keys: readonly string[]
  /** Of a question: the ids of the statements that it repeats. It goes with either. */
  readonly about?: readonly string[]
}

/** What is known about one subject; its statements refer to it. `text` is the body. */
export interface SubjectPage extends MemoryBase {
  readonly type: 'page'
  readonly title: string
  /** A class of the ontology. */
  readonly class: string
  readonly aliases: readonly string[]
  readonly links: readonly { readonly relation: string; readonly to: string }[]
}

/**
 * What holds of a subject, for a time. Bi-temporal: `valid_*` is when it holds, `created_at` and
 * `expired_at` when that was learnt. The pipeline closes statements and never deletes one.
 */
export interface Statement extends MemoryBase {
  readonly type: 'statement'
  readonly page_id: string
  /** A property of the ontology. */
  readonly property: string
  readonly value: string
  readonly valid_from: string | null
  readonly valid_to: string | null
  readonly expired_at: string | null
  readonly superseded_by: string | null
  /** 0 to 1. */
  readonly confidence: number
  /** Another statement that cannot hold at the same time: the person is asked. */
  readonly disputes: string | null
}

/** How to do something. `text` has the steps. */
export interface Playbook extends MemoryBase {
  readonly type: 'playbook'
  readonly title: string
  /** One line. */
  readonly when_to_use: string
  readonly successes: number
  readonly failures: number
  readonly last_used_at: string | null
}

/** A stored memory. */
export type StoredMemory = ShortMemory | SubjectPage | Statement | Playbook

export const memoryCollection = defineCollection<StoredMemory>()({
  name: 'memory_pkm.memories',
  version: 1,
  userField: 'user_id',
  indexes: { by_user: { fields: ['user_id', 'memory_id'] } },
})

/** What is not learnt again: the document's id has a digest, and nothing else of it is kept. */
export interface Tombstone {
  readonly id: string
  readonly user_id: string
  readonly digest: string
}

export const tombstoneCollection = defineCollection<Tombstone>()({
  name: 'memory_pkm.tombstones',
  version: 1,
  userField: 'user_id',
  indexes: { by_user: { fields: ['user_id', 'id'] } },
})

/** Counts the changes of a user's memories, so that copies in memory know when they are stale. */
export interface UserState {
  /** The user's. */
  readonly id: string
  readonly user_id: string
  readonly revision: number
}

export const stateCollection = defineCollection<UserState>()({
  name: 'memory_pkm.states',
  version: 1,
  userField: 'user_id',
  indexes: { by_user: { fields: ['user_id', 'id'] } },
})

/** A term that was proposed for a user's memories, and what became of it. */
export interface StoredTerm {
  readonly id: string
  readonly user_id: string
  readonly name: string
  readonly kind: 'class' | 'property'
  readonly label: string
  readonly parent: string | null
  readonly status: 'accepted' | 'rejected' | 'alias'
  /** Of an alias: the term that is meant. */
  readonly alias_of: string | null
}

export const termCollection = defineCollection<StoredTerm>()({
  name: 'memory_pkm.terms',
  version: 1,
  userField: 'user_id',
  indexes: { by_user: { fields: ['user_id', 'id'] } },
})
