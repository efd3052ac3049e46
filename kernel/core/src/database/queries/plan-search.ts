import type { CollectionLayout, SearchLayout, SearchQuery } from '@agent-service/sdk/contracts/database-driver'
import type { TextSearch } from '@agent-service/sdk/services/database'
import { queryInvalidError } from '../errors.js'
import { type CursorScope, decodeCursor, encodeCursor } from './cursor.js'
import { checkedLimit, maxPageBytes } from './query-range.js'
import { searchTerms } from './search-words.js'

export interface PlannedSearch {
  readonly query: SearchQuery
  cursorAt(position: Uint8Array): string
}

/**
 * Turns typed text into a search; undefined if it has no words and so nothing is found.
 * @throws `query_invalid` for a limit out of range or a scope that is not a text, `cursor_invalid`
 * for a foreign or broken cursor. Neither names a word.
 */
export function planSearch(layout: CollectionLayout, search: SearchLayout, asked: TextSearch): PlannedSearch | undefined {
  const { scope, text, signal } = asked
  const limit = checkedLimit(layout, asked.limit)
  if (typeof scope !== 'string' || scope === '' || typeof text !== 'string')
    throw queryInvalidError.create({ collection: layout.name, reason: 'a search needs a scope and a text' })
  const terms = searchTerms(text)
  const cursorScope: CursorScope = {
    collection: layout.name,
    // No index has this name. The search text is part of the cursor's digest only.
    index: '',
    fields: [...search.fields, search.scope, search.order],
    order: 'descending',
    lower: Buffer.from(scope),
    upper: Buffer.from(JSON.stringify(terms)),
  }
  const after = asked.cursor === undefined ? undefined : decodeCursor(cursorScope, asked.cursor).key
  if (terms.length === 0) return undefined
  return {
    query: {
      ...{ collection: layout.name, scope, terms, limit, maximumBytes: maxPageBytes },
      ...(after && { after }),
      ...(signal && { signal }),
    },
    cursorAt: (position) => encodeCursor(cursorScope, { key: position, id: '' }),
  }
}
