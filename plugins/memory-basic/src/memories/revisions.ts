import type { MemoryRevision } from '@agent-service/sdk/contracts/memory-backend'
import type { StoredMemory } from '../store/collections.js'
import type { Memories, MemoryWrites } from '../store/memory-store.js'
import { compare, oldestFirst } from './prompt-text.js'

/** How long a text that was replaced can be brought back. */
export const keepReplacedMs = 7 * 86_400_000

const maxRevisions = 100

/** What can be brought back, the newest first. */
export function revisionsOf(memories: Memories, now: number): readonly MemoryRevision[] {
  const replaced = new Map<string, StoredMemory[]>()
  for (const memory of memories.values())
    if (isRestorable(memory, now)) replaced.set(memory.replaced_by ?? '', [...(replaced.get(memory.replaced_by ?? '') ?? []), memory])
  return [...replaced]
    .flatMap(([id, group]) => {
      const [first] = group
      const text = [...group].sort(oldestFirst).map((memory) => `- ${memory.text}`)
      const times = { replacedAt: timeText(first?.replaced_at ?? 0), expiresAt: timeText(first?.expires_at ?? 0) }
      return first ? [{ id, scope: first.scope, text: text.join('\n'), ...times }] : []
    })
    .sort((one, other) => compare(other.replacedAt, one.replacedAt) || compare(other.id, one.id))
    .slice(0, maxRevisions)
}

const isRestorable = ({ state, replaced_by, expires_at }: StoredMemory, now: number): boolean =>
  state === 'replaced' && replaced_by !== null && (expires_at ?? 0) > now

/**
 * Brings back what a compaction replaced, in place of what it made; first that of later ones that
 * replaced what it made. What a person has pinned or corrected since stays. Undefined if there is
 * nothing to bring back.
 */
export function restoreRevision(memories: Memories, revisionId: string, now: number): MemoryWrites<true> | undefined {
  const after = new Map(memories)
  const changed = new Map<string, StoredMemory>()
  const removed = new Map<string, StoredMemory>()
  const restore = (id: string): boolean => {
    const originals = [...after.values()].filter((memory) => memory.replaced_by === id && isRestorable(memory, now))
    if (originals.length === 0) return false
    for (const made of [...after.values()].filter(({ made_by }) => made_by === id)) {
      if (made.state === 'replaced' && made.replaced_by !== null) restore(made.replaced_by)
      const current = after.get(made.memory_id) ?? made
      if (current.state !== 'live' || current.pinned || current.corrected) continue
      after.delete(made.memory_id)
      changed.delete(made.memory_id)
      removed.set(made.memory_id, made)
    }
    for (const memory of originals) {
      const back: StoredMemory = { ...memory, state: 'live', replaced_by: null, replaced_at: null, expires_at: null }
      after.set(memory.memory_id, back)
      changed.set(memory.memory_id, back)
    }
    return true
  }
  return restore(revisionId) ? { result: true, put: [...changed.values()], remove: [...removed.values()] } : undefined
}

/** Replaced memories that can no longer be brought back. */
export const expiredOf = (memories: Memories, now: number): readonly StoredMemory[] =>
  [...memories.values()].filter(({ state, expires_at }) => state === 'replaced' && expires_at !== null && expires_at <= now)

/** A time as the contract has it. */
export const timeText = (time: number): string => new Date(time).toISOString()
