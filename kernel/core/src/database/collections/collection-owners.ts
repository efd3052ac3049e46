import type { DatabaseConnection } from '@agent-service/sdk/contracts/database-driver'
import type { CollectionDefinition } from '@agent-service/sdk/services/database'
import { documentOf } from '../documents/stored-entry.js'
import { collectionTakenError } from '../errors.js'
import { internalCollectionName } from './internal-collection.js'

/** The owner of collections. */
export interface CollectionOwner {
  readonly id: string
  /** Not a part of the service. */
  readonly thirdParty: boolean
}

/** The owners of the stored collections, including plugins that do not run. */
export interface CollectionOwners {
  /**
   * Binds collections to the owner that creates them. Parts of the service need no record: a stored
   * collection without one is theirs.
   * @throws `collection_taken` if another owner has stored one; then nothing is bound.
   */
  bind(owner: CollectionOwner, definitions: readonly CollectionDefinition[]): Promise<void>
}

const idOf = (collection: string): string => `owner:${collection}`

/** Reads and stores the records in the database's own collection. */
export function createCollectionOwners(connection: DatabaseConnection): CollectionOwners {
  return {
    async bind(owner, definitions) {
      const names = definitions.map(({ name }) => name)
      if (names.length === 0) return
      const recorded = await readOwners(connection, names)
      for (const [collection, other] of recorded)
        if (other !== owner.id) throw collectionTakenError.create({ collection, owner: owner.id, other })
      if (owner.thirdParty)
        await bindNew(
          connection,
          owner.id,
          names.filter((name) => !recorded.has(name)),
        )
    },
  }
}

async function readOwners(connection: DatabaseConnection, names: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const records = await connection.read(internalCollectionName, names.map(idOf))
  return new Map(
    names.flatMap((name, index) => {
      const record = records[index]
      return record === undefined ? [] : [[name, String(documentOf(internalCollectionName, record)['owner'])] as const]
    }),
  )
}

/**
 * Writes the record before the collection is created, so that a crash leaves no collection without
 * its owner.
 */
async function bindNew(connection: DatabaseConnection, owner: string, names: readonly string[]): Promise<void> {
  if (names.length === 0) return
  const stored = new Set((await connection.layouts()).map(({ name }) => name))
  const taken = names.find((name) => stored.has(name))
  if (taken !== undefined) throw collectionTakenError.create({ collection: taken, owner, other: 'a part of the service' })
  const writes = names.map((name) => {
    const id = idOf(name)
    return { kind: 'put', collection: internalCollectionName, id, body: JSON.stringify({ id, owner }), keys: [] } as const
  })
  await connection.commit({ checks: [], writes })
}
