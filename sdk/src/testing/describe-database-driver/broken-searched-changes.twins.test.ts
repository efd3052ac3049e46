import type { SearchPage, SearchText } from '../../contracts/database-driver/index.js'
import { type BrokenDriver, breakDriver } from './break-driver.test.js'

/**
 * Drivers whose text index does not follow the documents and the layout, or whose errors reveal too
 * much.
 */
export const brokenSearchedChanges: readonly BrokenDriver[] = [
  {
    rule: 'texts that were there before the text index are not found',
    create: breakDriver((connection) => ({
      ensureCollection: (layout, keysOf) => connection.ensureCollection(layout, keysOf, () => null),
    })),
    fails: [
      'searches › find documents from before the text index, however it is added or dropped',
      'searches › find by the new texts after the layout of the text index changes',
    ],
  },
  {
    rule: 'a text index with a new layout keeps its texts',
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
    fails: ['searches › find by the new texts after the layout of the text index changes'],
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
      'searches › continue after a position whose document was deleted or changed',
      'searches › follow every change of a text, its time and its scope',
      'searches › find documents from before the text index, however it is added or dropped',
      'searches › agree with a simple model over random writes',
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
    fails: ['searches › follow every change of a text, its time and its scope', 'searches › agree with a simple model over random writes'],
  },
  {
    rule: 'a search returns the results of an earlier one',
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
      'searches › continue after a position whose document was deleted or changed',
      'searches › follow every change of a text, its time and its scope',
      'searches › find documents from before the text index, however it is added or dropped',
      'searches › find by the new texts after the layout of the text index changes',
      'searches › agree with a simple model over random writes',
    ],
  },
  {
    rule: 'an error contains the search words',
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
      'searches › are refused without a text index, and errors omit the words',
      'closing › makes all other calls reject with database_closed',
    ],
  },
  {
    rule: 'a search without a text index finds nothing',
    create: breakDriver((connection) => ({
      async search(query) {
        const layout = (await connection.layouts()).find(({ name }) => name === query.collection)
        return layout && !layout.search ? { records: [], more: false } : await connection.search(query)
      },
    })),
    fails: [
      'searches › are refused without a text index, and errors omit the words',
      'searches › find documents from before the text index, however it is added or dropped',
    ],
  },
]
