import type { JsonObject } from '@agent-service/sdk'
import type { DatabaseConnection } from '@agent-service/sdk/contracts/database-driver'
import { checkDocument } from '../documents/check-document.js'
import type { Store } from '../documents/store.js'
import { documentOf } from '../documents/stored-entry.js'
import { putOf } from './collection-layout.js'

const pageSize = 50

/**
 * Access to any stored collection, also one that is not open in this process because its owner is
 * off. `exclusively` runs work while this process opens, creates or migrates no collection.
 */
export function createUpkeep(dependencies: {
  readonly connection: DatabaseConnection
  readonly store: Store
  readonly exclusively: <Result>(work: () => Promise<Result>) => Promise<Result>
}) {
  const { connection, store, exclusively } = dependencies
  const layoutOf = async (collection: string) => (await connection.layouts()).find(({ name }) => name === collection)
  return {
    /** All documents by id, read page by page; none if the collection does not exist. */
    async *documents(collection: string, { signal }: { readonly signal: AbortSignal }): AsyncGenerator<JsonObject> {
      if (!(await layoutOf(collection))) return
      for (let afterId: string | undefined; ; ) {
        signal.throwIfAborted()
        const page = await connection.scan(collection, { limit: pageSize, ...(afterId !== undefined && { afterId }) })
        for (const record of page) yield documentOf(collection, record)
        afterId = page.at(-1)?.id
        if (afterId === undefined) return
      }
    },
    /**
     * Replaces a text at the top level of a document if it still has the old value; otherwise nothing
     * happens. The member must not be in an index. False if the document was changed concurrently.
     */
    replaceText: (
      { collection, id, field }: { readonly collection: string; readonly id: string; readonly field: string },
      from: string,
      to: string,
    ): Promise<boolean> =>
      exclusively(async () => {
        const layout = await layoutOf(collection)
        const [record] = layout ? await connection.read(collection, [id]) : []
        if (!layout || !record) return true
        const document = documentOf(collection, record)
        if (document[field] !== from) return true
        const checked = checkDocument(collection, { ...document, [field]: to })
        const { outcome } = await store.commit({
          checks: [{ kind: 'revision', collection, id, revision: record.revision }],
          writes: [putOf(layout, checked)],
        })
        return outcome === 'committed'
      }),
  }
}
