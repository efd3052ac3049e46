import { setImmediate } from 'node:timers/promises'
import type { NewMemory } from '@agent-service/sdk/contracts/memory-backend'
import type { Clock } from '@agent-service/sdk/services/clock'
import type { Redaction } from '@agent-service/sdk/services/secrets'
import { idOf } from '../common/ids.js'
import { normalText, sha256 } from '../common/text.js'
import { mentionWeight } from '../read/score.js'
import { shortMemory, withEvidence } from '../store/make-memory.js'
import { hasNormalText, normalTextOf } from '../store/normal-text.js'
import type { ShortMemory } from '../store/records.js'
import { scopeKey } from '../store/scope-key.js'
import { unbury } from '../store/tombstones.js'
import type { MemoryView, UserMemories } from '../store/user-memories.js'

/** The most keys that a memory keeps, the newest. */
const maxKeys = 20

/**
 * Remembers a text as a short memory at once. The same text in the same scope is a further mention
 * of the one that is there. What the log would mask is masked.
 *
 * @throws `memory_full`.
 */
export async function remember(
  { memories, clock, redaction }: { readonly memories: UserMemories; readonly clock: Clock; readonly redaction: Redaction },
  { userId, scope, text: said, evidence, origin, key }: NewMemory,
  { signal }: { readonly signal: AbortSignal },
): Promise<{ readonly id: string }> {
  const text = redaction.redact(said)
  const keyDigest = sha256(key)
  const at = new Date(clock.now()).toISOString()
  await prepareTexts(await memories.view(userId, { signal }), text)
  return memories.change(
    userId,
    async ({ transaction, view, put }) => {
      const known = findKnown(view, { text, scope: scopeKey(scope), keyDigest })
      // A repeated key, also of one that was forgotten since: nothing is stored twice.
      if (known?.keys.includes(keyDigest)) return { id: known.memory_id }
      const more = evidence === undefined ? [] : [evidence]
      if (known) {
        put(mentioned(known, { at, keyDigest, evidence: withEvidence(known.evidence, more) }))
        return { id: known.memory_id }
      }
      const id = idOf(userId, 'remembered', key)
      unbury(transaction, userId, text)
      put({ ...shortMemory({ userId, id, scope, text, at, evidence: more }, 'fact'), origin: origin ?? 'chat', keys: [keyDigest] })
      return { id }
    },
    { signal },
  )
}

/** How many texts are made comparable before others have a turn. */
const textsPerTurn = 500

/** Makes the texts comparable that a text may be the same as, so that nothing is left of it for the transaction. */
async function prepareTexts({ memories }: MemoryView, text: string): Promise<void> {
  let made = 0
  for (const memory of memories.values()) {
    if (memory.type !== 'short' || !mayBeSame(memory, text) || hasNormalText(memory)) continue
    normalTextOf(memory)
    made += 1
    if (made % textsPerTurn === 0) await setImmediate()
  }
}

/** Texts of other lengths are not the same, whatever spaces and marks they have. */
const mayBeSame = (memory: ShortMemory, text: string): boolean => Math.abs(memory.text.length - text.length) <= 40

function findKnown(
  { memories }: MemoryView,
  { text, scope, keyDigest }: { readonly text: string; readonly scope: string; readonly keyDigest: string },
): ShortMemory | undefined {
  const normal = normalText(text)
  let same: ShortMemory | undefined
  for (const memory of memories.values()) {
    if (memory.type !== 'short') continue
    if (memory.keys.includes(keyDigest)) return memory
    if (!mayBeSame(memory, text)) continue
    const isSame = !memory.forgotten && memory.valid_to === null && scopeKey(memory.scope) === scope && normalTextOf(memory) === normal
    if (isSame) same ??= memory
  }
  return same
}

const mentioned = (
  memory: ShortMemory,
  { at, keyDigest, evidence }: { readonly at: string; readonly keyDigest: string; readonly evidence: ShortMemory['evidence'] },
): ShortMemory => ({
  ...memory,
  ...{ last_seen_at: at, updated_at: at, reinforcements: memory.reinforcements + 1, evidence },
  ...{ weight: Math.min(1, memory.weight + mentionWeight), keys: [...memory.keys, keyDigest].slice(-maxKeys) },
})
