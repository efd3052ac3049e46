import type { Statement, StoredMemory } from '../store/records.js'

/** The body of a page as it follows from its statements without a model: those that still hold, the oldest first. */
export function plainBody(pageId: string, memories: Iterable<StoredMemory>): string {
  return standing(pageId, memories)
    .map(({ text }) => `- ${text.replaceAll(/\s+/g, ' ').trim()}`)
    .join('\n')
}

/** The statements of a page that hold, in a fixed order. */
export const standing = (pageId: string, memories: Iterable<StoredMemory>): readonly Statement[] =>
  [...memories]
    .filter((memory): memory is Statement => memory.type === 'statement' && memory.page_id === pageId)
    .filter(({ forgotten, valid_to: validTo, expired_at: expiredAt }) => !forgotten && validTo === null && expiredAt === null)
    .sort((one, other) =>
      one.created_at === other.created_at ? (one.memory_id < other.memory_id ? -1 : 1) : one.created_at < other.created_at ? -1 : 1,
    )
