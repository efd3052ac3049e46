import type { CollectionDefinition, Database, StoredObject } from '@agent-service/sdk/services/database'

/**
 * A field with sealed texts in the records of a collection. Each is bound to `<collection>/<id>`
 * and the field's name.
 */
export interface SealedField {
  readonly collection: string
  readonly field: string
  texts(signal: AbortSignal): AsyncIterable<{ readonly id: string; readonly sealed: string }>
  /**
   * Replaces the old text by a new one, if the old one is still stored. False if the attempt could
   * not be completed.
   */
  replace(id: string, from: string, to: string): Promise<boolean>
}

export const bindingOf = (collection: string, id: string, field: string): { readonly record: string; readonly field: string } => ({
  record: `${collection}/${id}`,
  field,
})

/** A sealed field of one of the kernel's own collections. */
export function ownSealedField(
  database: Database,
  { collection, field, ids }: { readonly collection: CollectionDefinition; readonly field: string; ids(): AsyncIterable<string> },
): SealedField {
  const typed = collection as CollectionDefinition<StoredObject & Readonly<Record<string, unknown>>>
  return {
    collection: collection.name,
    field,
    async *texts(signal) {
      for await (const id of ids()) {
        signal.throwIfAborted()
        const sealed = (await database.collection(typed).get(id))?.[field]
        if (typeof sealed === 'string') yield { id, sealed }
      }
    },
    replace: (id, from, to) =>
      database.transaction(async (transaction) => {
        const record = await transaction.get(typed, id)
        if (record?.[field] === from) transaction.put(typed, { ...record, [field]: to })
        return true
      }),
  }
}
