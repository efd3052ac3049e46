import type { MemoryItem, MemoryKind } from '@agent-service/sdk/contracts/memory-backend'
import type { StoredMemory } from '../store/records.js'
import { type DecaySettings, fadesAt } from './score.js'

const kinds = { page: 'summary', statement: 'statement', playbook: 'playbook' } as const

export const kindOf = (memory: StoredMemory): MemoryKind => (memory.type === 'short' ? memory.shown_kind : kinds[memory.type])

/** A memory as others see it. */
export function itemOf(memory: StoredMemory, settings: DecaySettings): MemoryItem {
  const { memory_id: id, scope, text, pinned, created_at: createdAt, updated_at: updatedAt, evidence } = memory
  const origin = memory.origin === 'tool' && !memory.forgotten && { origin: 'tool' as const }
  const common = { id, scope, kind: kindOf(memory), text, pinned, createdAt, updatedAt, fadesAt: null, evidence, ...origin }
  switch (memory.type) {
    case 'page':
      return { ...common, title: memory.title }
    case 'playbook':
      return { ...common, title: memory.title, ...(memory.when_to_use !== '' && { whenToUse: memory.when_to_use }) }
    case 'statement':
      return { ...common, pageId: memory.page_id, ...timesOf(memory) }
    case 'short': {
      const { title, page_id: pageId } = memory
      const named = { ...(title !== null && { title }), ...(pageId !== null && { pageId }) }
      return { ...common, ...named, ...timesOf(memory), fadesAt: memory.forgotten ? null : fadesAt(memory, settings) }
    }
  }
}

const timesOf = ({
  valid_from: validFrom,
  valid_to: validTo,
}: {
  readonly valid_from: string | null
  readonly valid_to: string | null
}) => ({
  ...(validFrom !== null && { validFrom }),
  ...(validTo !== null && { validTo }),
})
