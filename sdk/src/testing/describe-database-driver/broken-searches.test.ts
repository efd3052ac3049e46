import type { CommitWrite, DatabaseConnection, SearchPage, SearchQuery, SearchText } from '../../contracts/database-driver/index.js'
import { type BrokenDriver, breakDriver } from './break-driver.test.js'

/** Changes what a text index gets. */
const withTexts = (change: (search: SearchText) => SearchText | null) =>
  breakDriver((connection) => ({
    commit: ({ checks, writes }) => connection.commit({ checks, writes: writes.map((write) => changed(write, change)) }),
    ensureCollection: (layout, keysOf, searchOf) =>
      connection.ensureCollection(layout, keysOf, (record) => {
        const search = searchOf?.(record)
        return search ? change(search) : null
      }),
  }))

const changed = (write: CommitWrite, change: (search: SearchText) => SearchText | null): CommitWrite =>
  write.kind === 'put' && write.search ? { ...write, search: change(write.search) } : write

/** Changes what is asked. */
const asking = (change: (query: SearchQuery) => SearchQuery) =>
  breakDriver((connection) => ({ search: (query) => connection.search(change(query)) }))

const allOf = (connection: DatabaseConnection, query: SearchQuery): Promise<SearchPage> =>
  connection.search({ ...query, limit: 1e6, maximumBytes: Number.MAX_SAFE_INTEGER })

/** Drivers that search wrongly. */
export const brokenSearches: readonly BrokenDriver[] = [
  {
    rule: 'a search finds texts of every scope',
    create: () => {
      const driver = withTexts((search) => ({ ...search, scope: 'all' }))()
      return {
        ...driver,
        async open(options) {
          const connection = await driver.open(options)
          return { ...connection, search: (query) => connection.search({ ...query, scope: 'all' }) }
        },
      }
    },
    fails: [
      'searches › find documents of one scope alone, whatever it is called',
      'searches › follow every change of a text, its time and its scope',
      'searches › agree with a plain model over random writes',
    ],
  },
  {
    rule: 'scopes are compared without case',
    create: () => {
      const driver = withTexts((search) => ({ ...search, scope: search.scope.toLowerCase() }))()
      return {
        ...driver,
        async open(options) {
          const connection = await driver.open(options)
          return { ...connection, search: (query) => connection.search({ ...query, scope: query.scope.toLowerCase() }) }
        },
      }
    },
    fails: ['searches › find documents of one scope alone, whatever it is called'],
  },
  {
    rule: 'every word is a beginning',
    create: asking((query) => ({ ...query, terms: query.terms.map((term) => ({ ...term, prefix: true })) })),
    fails: [
      'searches › find documents that have every word, wherever it stands',
      'searches › find words that go on only where a term says so',
      'searches › take any word as a word',
      'searches › find what was there before the text index, in whatever way it comes and goes',
      'searches › agree with a plain model over random writes',
    ],
  },
  {
    rule: 'no word is a beginning',
    create: asking((query) => ({ ...query, terms: query.terms.map((term) => ({ ...term, prefix: false })) })),
    fails: [
      'searches › find words that go on only where a term says so',
      'searches › find documents of one scope alone, whatever it is called',
      'searches › agree with a plain model over random writes',
    ],
  },
  {
    rule: 'a phrase is a list of words',
    create: asking((query) => ({
      ...query,
      terms: query.terms.flatMap(({ words, prefix }) =>
        words.map((word, at) => ({ words: [word], prefix: prefix && at === words.length - 1 })),
      ),
    })),
    fails: ['searches › find phrases in one passage only', 'searches › agree with a plain model over random writes'],
  },
  {
    rule: 'one word is enough',
    create: asking((query) => ({ ...query, terms: query.terms.slice(0, 1) })),
    fails: ['searches › find documents that have every word, wherever it stands', 'searches › agree with a plain model over random writes'],
  },
  {
    rule: 'a phrase goes on in the next passage',
    create: withTexts((search) => ({ ...search, words: search.words.replaceAll('\n', ' ') })),
    fails: ['searches › find phrases in one passage only', 'searches › agree with a plain model over random writes'],
  },
  {
    rule: 'accents of words are levelled by the driver',
    create: () => {
      const bare = (word: string): string => word.normalize('NFD').replace(/\p{M}/gu, '')
      const driver = withTexts((search) => ({ ...search, words: bare(search.words) }))()
      return {
        ...driver,
        async open(options) {
          const connection = await driver.open(options)
          return {
            ...connection,
            search: (query) =>
              connection.search({ ...query, terms: query.terms.map(({ words, prefix }) => ({ words: words.map(bare), prefix })) }),
          }
        },
      }
    },
    fails: ['searches › take any word as a word'],
  },
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
      'searches › follow every change of a text, its time and its scope',
      'searches › stop a page before its bytes exceed the limit, and give at least one',
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
    rule: 'texts that were there before the text index are not found',
    create: breakDriver((connection) => ({
      ensureCollection: (layout, keysOf) => connection.ensureCollection(layout, keysOf, () => null),
    })),
    fails: [
      'searches › find what was there before the text index, in whatever way it comes and goes',
      'searches › find by the new texts where the text index is laid out anew',
    ],
  },
  {
    rule: 'a text index that is laid out anew keeps its texts',
    create: breakDriver((connection) => {
      const seen = new Map<string, SearchText | null>()
      return {
        ensureCollection: (layout, keysOf, searchOf) =>
          connection.ensureCollection(layout, keysOf, (record) => {
            const known = seen.get(record.id)
            return known === undefined ? (searchOf?.(record) ?? null) : known
          }),
        async commit(batch) {
          const result = await connection.commit(batch)
          for (const write of batch.writes)
            if (result.outcome === 'committed' && write.kind === 'put') seen.set(write.id, write.search ?? null)
          return result
        },
      }
    }),
    fails: ['searches › find by the new texts where the text index is laid out anew'],
  },
  {
    rule: 'a changed text is found as it was first',
    create: breakDriver((connection) => {
      const first = new Map<string, SearchText>()
      return {
        commit: ({ checks, writes }) =>
          connection.commit({
            checks,
            writes: writes.map((write) => {
              if (write.kind === 'delete' || !write.search) return write
              const known = first.get(write.id) ?? write.search
              first.set(write.id, known)
              return { ...write, search: known }
            }),
          }),
      }
    }),
    fails: [
      'searches › go on behind a position whose document has gone or changed',
      'searches › follow every change of a text, its time and its scope',
      'searches › find what was there before the text index, in whatever way it comes and goes',
      'searches › agree with a plain model over random writes',
    ],
  },
  {
    rule: 'a text that was taken out is still found',
    create: breakDriver((connection) => {
      const last = new Map<string, SearchText>()
      return {
        commit: ({ checks, writes }) =>
          connection.commit({
            checks,
            writes: writes.map((write) => {
              if (write.kind === 'delete') last.delete(write.id)
              else if (write.search) last.set(write.id, write.search)
              else return { ...write, search: last.get(write.id) ?? null }
              return write
            }),
          }),
      }
    }),
    fails: ['searches › follow every change of a text, its time and its scope', 'searches › agree with a plain model over random writes'],
  },
  {
    rule: 'a search is answered from what an earlier one saw',
    create: breakDriver((connection) => {
      const pages = new Map<string, SearchPage>()
      return {
        async search({ signal, ...query }) {
          const key = JSON.stringify(query)
          const page = pages.get(key) ?? (await connection.search({ ...query, ...(signal && { signal }) }))
          pages.set(key, page)
          return page
        },
      }
    }),
    fails: [
      'searches › go on behind a position whose document has gone or changed',
      'searches › follow every change of a text, its time and its scope',
      'searches › find what was there before the text index, in whatever way it comes and goes',
      'searches › find by the new texts where the text index is laid out anew',
      'searches › agree with a plain model over random writes',
    ],
  },
  {
    rule: 'a search ignores its signal',
    create: asking(({ signal: _, ...query }) => query),
    fails: ['searches › end with the reason of their signal'],
  },
  {
    rule: 'an error says what was looked for',
    create: breakDriver((connection) => ({
      async search(query) {
        try {
          return await connection.search(query)
        } catch (error) {
          throw new Error(`${String(error)} while looking for ${JSON.stringify(query.terms)}`, { cause: error })
        }
      },
    })),
    fails: [
      'searches › end with the reason of their signal',
      'searches › are refused where there is no text index, without a word of them',
      'closing › makes everything else reject with database_closed',
    ],
  },
  {
    rule: 'a collection without a text index has nothing to be found',
    create: breakDriver((connection) => ({
      async search(query) {
        const layout = (await connection.layouts()).find(({ name }) => name === query.collection)
        return layout && !layout.search ? { records: [], more: false } : await connection.search(query)
      },
    })),
    fails: [
      'searches › are refused where there is no text index, without a word of them',
      'searches › find what was there before the text index, in whatever way it comes and goes',
    ],
  },
]
