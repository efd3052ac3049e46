import {
  type MemoryItem,
  type MemoryReader,
  type MemoryRecord,
  memoryTextDigest,
  type NewMemory,
} from '@agent-service/sdk/contracts/memory-backend'
import { documentIdOf, type StoredMemory } from '../store/collections.js'

/** The id of this back end, also in the details of records. */
export const backendId = 'basic'

/** A text that every database takes: halves of characters, which are no Unicode, are replaced. */
export const soundText = (text: string): string => Buffer.from(text).toString()

/** A memory that nothing has happened to yet. */
export const freshMemory = {
  state: 'live',
  ...{ title: null, page_id: null, pinned: false, corrected: false, valid_from: null, valid_to: null, fades_at: null },
  ...{ partly_unproven: false, details: null, made_by: null, replaced_by: null, replaced_at: null, expires_at: null },
} as const

/** The memory of a text that was just said. */
export function memoryOf({ userId, scope, text, evidence, origin }: NewMemory, memoryId: string, at: string): StoredMemory {
  return {
    ...freshMemory,
    ...{ id: documentIdOf(userId, memoryId), user_id: userId, memory_id: memoryId, scope, kind: 'note', text: soundText(text) },
    ...{ created_at: at, updated_at: at, evidence: evidence ? [evidence] : [] },
    ...(origin !== undefined && { origin }),
  }
}

/** The most digests that a memory keeps, the newest. */
const maxDigests = 500

/** By what a memory is known again, with the text that it has now. */
export const digestsWith = ({ digests = [], text }: StoredMemory): readonly string[] =>
  [...new Set([...digests, memoryTextDigest(text)])].slice(-maxDigests)

/** What is left of a memory that is forgotten: that it is. Details of other back ends may repeat its words, so they go too. */
export const forgottenMemory = ({ origin: _, when_to_use: __, ...memory }: StoredMemory, at: string): StoredMemory => ({
  ...memory,
  ...{ state: 'forgotten', text: '', title: null, pinned: false, corrected: false, evidence: [], details: null, updated_at: at },
  ...{ replaced_by: null, replaced_at: null, expires_at: null },
})

/** A memory as people see it. */
export function itemOf(memory: StoredMemory): MemoryItem {
  const { title, page_id: pageId, valid_from: validFrom, valid_to: validTo } = memory
  return {
    ...{ id: memory.memory_id, scope: memory.scope, kind: memory.kind, text: memory.text, pinned: memory.pinned },
    ...{ createdAt: memory.created_at, updatedAt: memory.updated_at, fadesAt: null, evidence: memory.evidence },
    ...(title !== null && { title }),
    ...(memory.when_to_use !== undefined && { whenToUse: memory.when_to_use }),
    ...(pageId !== null && { pageId }),
    ...(validFrom !== null && { validFrom }),
    ...(validTo !== null && { validTo }),
    ...(memory.origin !== undefined && { origin: memory.origin }),
  }
}

/** A memory in the neutral format. */
export function recordOf(memory: StoredMemory): MemoryRecord {
  const details = { ...memory.details, ...(memory.partly_unproven && { [backendId]: { partly_unproven: true } }) }
  return {
    ...{ format: 1, ...itemOf(memory), fadesAt: memory.fades_at },
    ...(memory.state === 'forgotten' ? { forgotten: true } : memory.corrected && { corrected: true }),
    ...(memory.digests !== undefined && { digests: memory.digests }),
    ...(Object.keys(details).length > 0 && { details }),
  }
}

/** What an import keeps of a record. */
export function memoryOfRecord(userId: string, record: MemoryRecord): StoredMemory {
  const { [backendId]: own, ...others } = record.details ?? {}
  const forgotten = record.forgotten === true
  return {
    ...freshMemory,
    ...{ id: documentIdOf(userId, record.id), user_id: userId, memory_id: record.id, scope: record.scope, kind: record.kind },
    ...{ state: forgotten ? 'forgotten' : 'live', text: forgotten ? '' : soundText(record.text), pinned: record.pinned && !forgotten },
    ...{ title: record.title === undefined ? null : soundText(record.title), page_id: record.pageId ?? null, evidence: record.evidence },
    ...{ valid_from: record.validFrom ?? null, valid_to: record.validTo ?? null, fades_at: record.fadesAt },
    ...{ created_at: record.createdAt, updated_at: record.updatedAt },
    ...{
      corrected: record.corrected === true && !forgotten,
      partly_unproven: own?.['partly_unproven'] === true,
    },
    details: Object.keys(others).length > 0 ? others : null,
    ...(record.origin !== undefined && !forgotten && { origin: record.origin }),
    ...(record.digests !== undefined && { digests: record.digests }),
    ...(record.whenToUse !== undefined && !forgotten && { when_to_use: soundText(record.whenToUse) }),
  }
}

/** Whether a reader sees a memory: a person all of theirs, an agent those of its user, its own and its space's. */
export function isSeenBy({ agentId, spaceId }: MemoryReader, { state, scope }: Pick<StoredMemory, 'state' | 'scope'>): boolean {
  if (state !== 'live') return false
  if (scope.kind === 'user' || agentId === undefined) return true
  return scope.kind === 'agent' ? scope.agentId === agentId : scope.spaceId === spaceId
}

/** One value for each scope. */
export const scopeKeyOf = ({ scope }: Pick<StoredMemory, 'scope'>): string =>
  scope.kind === 'user' ? 'user' : scope.kind === 'agent' ? `agent ${scope.agentId}` : `space ${scope.spaceId}`
