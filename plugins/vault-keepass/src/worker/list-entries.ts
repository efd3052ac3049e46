import type { VaultItems, VaultListQuery } from '@agent-service/sdk/contracts/vault-connector'
import { vault } from '../protocol.js'
import { compareMarks, type Entries, type Mark, markOf } from './entries.js'
import { problem } from './problem.js'

/** One page of the entries, by title. @throws `vault_cursor_invalid`. */
export function listEntries(entries: Entries, { limit, cursor, text }: VaultListQuery): VaultItems {
  const after = cursor === undefined ? undefined : readCursor(cursor)
  const wanted = text?.toLowerCase()
  const page = []
  for (const entry of entries.all) {
    if (after !== undefined && compareMarks(markOf(entry), after) <= 0) continue
    const item = entries.item(entry)
    if (wanted !== undefined && ![item.title, item.group ?? '', item.id].some((each) => each.toLowerCase().includes(wanted))) continue
    page.push({ item, mark: markOf(entry) })
    if (page.length > limit) break
  }
  const shown = page.slice(0, limit)
  const last = shown.at(-1)
  return {
    items: shown.map(({ item }) => item),
    ...(page.length > limit && last !== undefined ? { nextCursor: Buffer.from(JSON.stringify(last.mark)).toString('base64url') } : {}),
  }
}

/** The place of the last entry of the page before: it may be gone by now. */
function readCursor(cursor: string): Mark {
  try {
    const mark: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'))
    if (Array.isArray(mark) && mark.length === 2 && mark.every((part) => typeof part === 'string')) return mark as unknown as Mark
  } catch {
    // It is not JSON, so this connector has not written it.
  }
  throw problem('vault_cursor_invalid', { vault })
}
