import type { DatabaseConnection, SearchPage, SearchQuery } from '../../contracts/database-driver/index.js'
import { type BrokenDriver, breakDriver } from './break-driver.test.js'
import { asking, withTexts } from './break-searches.test.js'

const allOf = (connection: DatabaseConnection, query: SearchQuery): Promise<SearchPage> =>
  connection.search({ ...query, limit: 1e6, maximumBytes: Number.MAX_SAFE_INTEGER })

/** Drivers that give what they find in the wrong order, in wrong pages, or for longer than anybody waits. */
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
      'searches › find documents that have every word, wherever it stands',
      'searches › find words that go on only where a term says so',
      'searches › find phrases in one passage only',
      'searches › take any word as a word',
      'searches › give the newest first, in pages',
      'searches › go on behind a position whose document has gone or changed',
      'searches › stop a page before its bytes exceed the limit, and give at least one',
      'searches › follow every change of a text, its time and its scope',
      'searches › find what was there before the text index, in whatever way it comes and goes',
      'searches › find the same after the store was opened again, or restored',
      'searches › agree with a plain model over random writes',
    ],
  },
  {
    rule: 'what is found comes in the order of ids',
    create: withTexts((search) => ({ ...search, order: 0 })),
    fails: [
      'searches › find documents that have every word, wherever it stands',
      'searches › find words that go on only where a term says so',
      'searches › find phrases in one passage only',
      'searches › take any word as a word',
      'searches › give the newest first, in pages',
      'searches › go on behind a position whose document has gone or changed',
      'searches › follow every change of a text, its time and its scope',
      'searches › find what was there before the text index, in whatever way it comes and goes',
      'searches › find the same after the store was opened again, or restored',
      'searches › agree with a plain model over random writes',
    ],
  },
  {
    rule: 'a page of a search always begins at the newest',
    create: asking(({ after: _, ...query }) => query),
    fails: [
      'searches › take any word as a word',
      'searches › give the newest first, in pages',
      'searches › go on behind a position whose document has gone or changed',
      'searches › find what was there before the text index, in whatever way it comes and goes',
      'searches › agree with a plain model over random writes',
    ],
  },
  {
    rule: 'a position whose document is not found any more ends a search',
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
    fails: ['searches › go on behind a position whose document has gone or changed'],
  },
  {
    rule: 'a full page of a search always says that more is left',
    create: breakDriver((connection) => ({
      async search(query) {
        const page = await connection.search(query)
        return { ...page, more: page.records.length === query.limit }
      },
    })),
    fails: [
      'searches › give the newest first, in pages',
      'searches › stop a page before its bytes exceed the limit, and give at least one',
    ],
  },
  {
    rule: 'the bytes of a found page are not bounded',
    create: asking((query) => ({ ...query, maximumBytes: Number.MAX_SAFE_INTEGER })),
    fails: ['searches › stop a page before its bytes exceed the limit, and give at least one'],
  },
  {
    rule: 'a search ignores its signal',
    create: asking(({ signal: _, ...query }) => query),
    fails: ['searches › end with the reason of their signal'],
  },
]
