import type { MemoryEvidence, MemoryScope } from '@agent-service/sdk/contracts/memory-backend'
import { documentId } from '../common/ids.js'
import type { Playbook, ShortKind, ShortMemory, Statement, SubjectPage } from './records.js'

/** What every new memory has. */
export interface NewMemoryBase {
  readonly userId: string
  readonly id: string
  readonly scope: MemoryScope
  readonly text: string
  readonly at: string
  readonly evidence: readonly MemoryEvidence[]
}

/** The most evidence that a memory keeps; the newest stays. */
export const maxEvidence = 20

const baseOf = ({ userId, id, scope, text, at, evidence }: NewMemoryBase) => ({
  ...{ id: documentId(userId, id), user_id: userId, memory_id: id, scope, text, pinned: false },
  ...{ created_at: at, updated_at: at, evidence: evidence.slice(-maxEvidence), forgotten: false, foreign: null, sources: [], buried: [] },
})

/** A short memory of weight 1, seen now. */
export const shortMemory = (base: NewMemoryBase, kind: ShortKind): ShortMemory => ({
  ...{ ...baseOf(base), type: 'short', kind, origin: 'chat', shown_kind: 'note', title: null, page_id: null },
  ...{ last_seen_at: base.at, reinforcements: 0, weight: 1, lasting: false, valid_from: null, valid_to: null },
  ...{ superseded_by: null, statement_id: null, keys: [] },
})

export const subjectPage = (base: NewMemoryBase, page: Pick<SubjectPage, 'title' | 'class' | 'aliases'>): SubjectPage => ({
  ...{ ...baseOf(base), type: 'page', origin: 'chat', ...page, links: [] },
})

export const statement = (
  base: NewMemoryBase,
  parts: Pick<Statement, 'page_id' | 'property' | 'value' | 'valid_from' | 'valid_to' | 'confidence' | 'disputes'>,
): Statement => ({
  ...{ ...baseOf(base), type: 'statement', origin: 'chat', ...parts, expired_at: null, superseded_by: null },
})

export const playbook = (base: NewMemoryBase, parts: Pick<Playbook, 'title' | 'when_to_use'>): Playbook => ({
  ...{ ...baseOf(base), type: 'playbook', origin: 'chat', ...parts, successes: 0, failures: 0, last_used_at: null },
})

/** Evidence with more of it; the same is not added twice. */
export function withEvidence(known: readonly MemoryEvidence[], more: readonly MemoryEvidence[]): readonly MemoryEvidence[] {
  const isKnown = (each: MemoryEvidence): boolean =>
    known.some(({ chatId, messageId }) => chatId === each.chatId && messageId === each.messageId)
  return [...known, ...more.filter((each) => !isKnown(each))].slice(-maxEvidence)
}

/** The later of two times. */
export const later = (one: string, other: string): string => (one < other ? other : one)
