import { createHash } from 'node:crypto'
import type { JsonObject } from '@agent-service/sdk'
import type { MemoryEvidence, MemoryKind, MemoryScope } from '@agent-service/sdk/contracts/memory-backend'
import { defineCollection } from '@agent-service/sdk/services/database'

/** A memory, or what is left of one. */
export interface StoredMemory {
  /** Made of the user and the memory's id. */
  readonly id: string
  readonly user_id: string
  readonly memory_id: string
  /**
   * `forgotten`: kept without its text, so that it stays forgotten. `replaced`: a compaction made
   * another of it; it can be brought back until `expires_at`.
   */
  readonly state: 'live' | 'forgotten' | 'replaced'
  readonly scope: MemoryScope
  readonly kind: MemoryKind
  readonly title: string | null
  /** Of a playbook of another back end: when it is of use. */
  readonly when_to_use?: string
  readonly page_id: string | null
  readonly text: string
  readonly pinned: boolean
  /** A person has changed its text. */
  readonly corrected: boolean
  /** RFC 3339, in UTC. */
  readonly created_at: string
  /** RFC 3339, in UTC. */
  readonly updated_at: string
  readonly valid_from: string | null
  readonly valid_to: string | null
  /** Kept for the back end that it came from. */
  readonly fades_at: string | null
  readonly evidence: readonly MemoryEvidence[]
  /** It also says what has no evidence: no deleted chat takes it along. */
  readonly partly_unproven: boolean
  /** What it is not to be learnt as again; see the neutral format. */
  readonly digests?: readonly string[]
  /** `tool`: an agent has stored it of its own accord. */
  readonly origin?: 'tool'
  /** Data of other back ends. */
  readonly details: { readonly [backend: string]: JsonObject } | null
  /** The compaction that made it; null: none. */
  readonly made_by: string | null
  /** The compaction that replaced it; null: none. */
  readonly replaced_by: string | null
  /** When it was replaced, and until when it can be brought back. In milliseconds since 1970. */
  readonly replaced_at: number | null
  readonly expires_at: number | null
}

export const memoryCollection = defineCollection<StoredMemory>()({
  name: 'memory_basic.memories',
  version: 1,
  userField: 'user_id',
  indexes: { by_user: { fields: ['user_id', 'id'] } },
})

/** What a user's memories have in common. */
export interface MemoryUser {
  /** The user's. */
  readonly id: string
  readonly user_id: string
  /** Grows by one with every change; begins with the time, so that it does not come again after an erasure. */
  readonly version: number
  /** When memories of the user and of agents are compacted next; null: nothing has changed. In milliseconds since 1970. */
  readonly compact_at: number | null
  /** The same of spaces. */
  readonly compact_spaces_at: number | null
  /** What a model has nothing to make shorter of: scopes, and a fingerprint of their notes. */
  readonly settled: { readonly [scope: string]: string }
  /** When a replaced memory expires next. */
  readonly expire_at: number | null
  /** The earliest of the three times. */
  readonly due_at: number | null
}

export const userCollection = defineCollection<MemoryUser>()({
  name: 'memory_basic.users',
  version: 1,
  userField: 'user_id',
  indexes: { by_user: { fields: ['user_id', 'id'] }, by_due: { fields: ['due_at', 'id'] } },
})

/** The vector of a memory, under the id of the memory. */
export interface MemoryVector {
  readonly id: string
  readonly user_id: string
  readonly memory_id: string
  readonly hash: string
  readonly space: string
  readonly vector: string
}

export const vectorCollection = defineCollection<MemoryVector>()({
  name: 'memory_basic.vectors',
  version: 1,
  userField: 'user_id',
  indexes: { by_user: { fields: ['user_id', 'id'] } },
})

/** The id of the document of a memory, whatever an import calls it. */
export const documentIdOf = (userId: string, memoryId: string): string =>
  createHash('sha256')
    .update(JSON.stringify([userId, memoryId]))
    .digest('base64url')
