import type { CommitWrite, SearchQuery, SearchText } from '../../contracts/database-driver/index.js'
import { breakDriver } from './break-driver.test.js'

/** Changes the input of a text index and its queries. */
export const withTexts = (change: (search: SearchText) => SearchText | null, changeQuery = (query: SearchQuery): SearchQuery => query) =>
  breakDriver((connection) => ({
    commit: ({ checks, writes }) => connection.commit({ checks, writes: writes.map((write) => changed(write, change)) }),
    ensureCollection: (layout, keysOf, searchOf) =>
      connection.ensureCollection(layout, keysOf, (record) => {
        const search = searchOf?.(record)
        return search ? change(search) : null
      }),
    search: (query) => connection.search(changeQuery(query)),
  }))

const changed = (write: CommitWrite, change: (search: SearchText) => SearchText | null): CommitWrite =>
  write.kind === 'put' && write.search ? { ...write, search: change(write.search) } : write

/** Changes the query. */
export const asking = (change: (query: SearchQuery) => SearchQuery) =>
  breakDriver((connection) => ({ search: (query) => connection.search(change(query)) }))
