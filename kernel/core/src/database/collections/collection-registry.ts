import type { CollectionLayout } from '@agent-service/sdk/contracts/database-driver'
import type { CollectionDefinition } from '@agent-service/sdk/services/database'
import { collectionInvalidError, collectionTakenError, collectionUnknownError } from '../errors.js'
import { checkDefinition } from './collection-layout.js'
import { internalCollectionName } from './internal-collection.js'

/** A collection that is open. */
export interface OpenedCollection {
  readonly owner: string
  readonly layout: CollectionLayout
}

/** The owners and layouts of open collections. */
export interface CollectionRegistry {
  /**
   * Claims names for an owner, all or none.
   * @throws `collection_invalid`, or `collection_taken` naming both owners.
   */
  claim(owner: string, definitions: readonly CollectionDefinition[]): void
  /** Opens a claimed collection for use. */
  opened(owner: string, layout: CollectionLayout): void
  /**
   * The open collection. With `owner`, only if it belongs to that owner. @throws
   * `collection_unknown`.
   */
  get(name: string, owner?: string): OpenedCollection
}

/** Makes an empty registry. Names that begin with `kernel.` are the kernel's. */
export function createCollectionRegistry(): CollectionRegistry {
  const owners = new Map<string, string>()
  const collections = new Map<string, OpenedCollection>()
  return {
    claim(owner, definitions) {
      const names = new Set<string>()
      for (const definition of definitions) {
        checkDefinition(definition)
        const { name } = definition
        if (names.has(name)) throw collectionInvalidError.create({ collection: name, reason: `${owner} declares it twice` })
        if (name === internalCollectionName) throw collectionTakenError.create({ collection: name, owner, other: 'the database itself' })
        if (name.startsWith('kernel.') && owner !== 'kernel')
          throw collectionTakenError.create({ collection: name, owner, other: 'kernel' })
        const other = owners.get(name)
        if (other !== undefined && other !== owner) throw collectionTakenError.create({ collection: name, owner, other })
        names.add(name)
      }
      for (const name of names) owners.set(name, owner)
    },
    opened(owner, layout) {
      collections.set(layout.name, { owner, layout })
    },
    get(name, owner) {
      const collection = collections.get(name)
      if (!collection || (owner !== undefined && collection.owner !== owner)) {
        throw collectionUnknownError.create({ collection: name, owner: owner ?? 'The kernel' })
      }
      return collection
    },
  }
}
