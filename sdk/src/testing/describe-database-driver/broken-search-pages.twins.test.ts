import type { DatabaseConnection, SearchPage, SearchQuery } from '../../contracts/database-driver/index.js'
import { type BrokenDriver, breakDriver } from './break-driver.test.js'
import { asking, withTexts } from './break-searches.test.js'

const allOf = (connection: DatabaseConnection, query: SearchQuery): Promise<SearchPage> =>
  connection.search({ ...query, limit: 1e6, maximumBytes: Number.MAX_SAFE_INTEGER })

/**
 * Drivers that return results in the wrong order, in wrong pages, or after the caller stopped
 * waiting.
 */
export const brokenSearchPages: readonly BrokenDriver[] = [
  {
    rule: 'the oldest comes first',
    create: breakDriver((connection) => ({
      async search(query) {
        const { records, more } = await connection.search(query)
        return { records: [...records].reverse(), more }
      },
    })),
    fails: [
      'searches › find documents with every word, in any position',
      'searches › find longer words only for prefix terms',
      'searches › find phrases in one passage only',
      'searches › take any word as a word',
      'searches › return the newest first, in pages',
      'searches › continue after a position whose document was deleted or changed',
      'searches › end a page before its bytes exceed the limit, with at least one record',
      'searches › follow every change of a text, its time and its scope',
      'searches › find documents from before the text index, however it is added or dropped',
      'searches › find the same after the store was opened again, or restored',
      'searches › agree with a simple model over random writes',
    ],
  },
  {
    rule: 'results come in the order of ids',
    create: withTexts((search) => ({ ...search, order: 0 })),
    fails: [
      'searches › find documents with every word, in any position',
      'searches › find longer words only for prefix terms',
      'searches › find phrases in one passage only',
      'searches › take any word as a word',
      'searches › return the newest first, in pages',
      'searches › continue after a position whose document was deleted or changed',
      'searches › follow every change of a text, its time and its scope',
      'searches › find documents from before the text index, however it is added or dropped',
      'searches › find the same after the store was opened again, or restored',
      'searches › agree with a simple model over random writes',
    ],
  },
  {
    rule: 'a page of a search always begins at the newest',
    create: asking(({ after: _, ...query }) => query),
    fails: [
      'searches › take any word as a word',
      'searches › return the newest first, in pages',
      'searches › continue after a position whose document was deleted or changed',
      'searches › find documents from before the text index, however it is added or dropped',
      'searches › agree with a simple model over random writes',
    ],
  },
  {
    rule: 'a position whose document is no longer found ends a search',
    create: breakDriver((connection) => ({
      async search(query) {
        const { after, ...rest } = query
        if (!after) return await connection.search(query)
        const { records } = await allOf(connection, rest)
        return records.some(({ position }) => Buffer.compare(position, after) === 0)
          ? await connection.search(query)
          : { records: [], more: false }
      },
    })),
    fails: ['searches › continue after a position whose document was deleted or changed'],
  },
  {
    rule: 'a full page of a search always reports that more is left',
    create: breakDriver((connection) => ({
      async search(query) {
        const page = await connection.search(query)
        return { ...page, more: page.records.length === query.limit }
      },
    })),
    fails: [
      'searches › return the newest first, in pages',
      'searches › end a page before its bytes exceed the limit, with at least one record',
    ],
  },
  {
    rule: 'the bytes of a result page are not bounded',
    create: asking((query) => ({ ...query, maximumBytes: Number.MAX_SAFE_INTEGER })),
    fails: ['searches › end a page before its bytes exceed the limit, with at least one record'],
  },
  {
    rule: 'a search ignores its signal',
    create: asking(({ signal: _, ...query }) => query),
    fails: ['searches › end with the reason of their signal'],
  },
]
