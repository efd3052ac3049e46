import type { CollectionLayout } from '@agent-service/sdk/contracts/database-driver'
import type { CollectionDefinition } from '@agent-service/sdk/services/database'
import { collectionInvalidError, collectionTakenError, collectionUnknownError } from '../errors.js'
import { checkDefinition, internalCollectionName } from './collection-layout.js'

export interface OpenedCollection {
  readonly owner: string
  readonly layout: CollectionLayout
}

/** The owners and layouts of open collections. Names that begin with `kernel.` are the kernel's. */
export class CollectionRegistry {
  readonly #owners = new Map<string, string>()
  readonly #collections = new Map<string, OpenedCollection>()

  /**
   * Claims names for an owner, all or none.
   * @throws `collection_invalid`, or `collection_taken` naming both owners.
   */
  claim(owner: string, definitions: readonly CollectionDefinition[]): void {
    const names = new Set<string>()
    for (const definition of definitions) {
      checkDefinition(definition)
      const { name } = definition
      if (names.has(name)) throw collectionInvalidError.create({ collection: name, reason: `${owner} declares it twice` })
      const other = this.#otherOwner(name, owner)
      if (other !== undefined) throw collectionTakenError.create({ collection: name, owner, other })
      names.add(name)
    }
    for (const name of names) this.#owners.set(name, owner)
  }

  open(owner: string, layout: CollectionLayout): void {
    this.#collections.set(layout.name, { owner, layout })
  }

  /**
   * The open collection. With `owner`, only if it belongs to that owner.
   * @throws `collection_unknown`.
   */
  get(name: string, owner?: string): OpenedCollection {
    const collection = this.#collections.get(name)
    if (collection && (owner === undefined || collection.owner === owner)) return collection
    throw collectionUnknownError.create({ collection: name, owner: owner ?? 'The kernel' })
  }

  #otherOwner(name: string, owner: string): string | undefined {
    if (name === internalCollectionName) return 'the database itself'
    if (name.startsWith('kernel.') && owner !== 'kernel') return 'kernel'
    const known = this.#owners.get(name)
    return known === owner ? undefined : known
  }
}
