import type { CommitWrite, DatabaseConnection } from '@agent-service/sdk/contracts/database-driver'
import type { CollectionDefinition } from '@agent-service/sdk/services/database'
import { documentOf } from '../documents/stored-entry.js'
import { collectionTakenError } from '../errors.js'
import { internalCollectionName } from './collection-layout.js'

const prefix = 'owner:'
const pageSize = 500

const idOf = (collection: string): string => `${prefix}${collection}`

/**
 * Binds collections to the owner that creates them, in the database's own collection, also while
 * the owner does not run. Parts of the service need no record: a stored collection without one is
 * theirs.
 * @param owner.thirdParty - Whether it is not a part of the service.
 * @throws `collection_taken` if another owner has stored one; then nothing is bound.
 */
export async function bindCollections(
  connection: DatabaseConnection,
  { id, thirdParty }: { readonly id: string; readonly thirdParty: boolean },
  definitions: readonly CollectionDefinition[],
): Promise<void> {
  const names = definitions.map(({ name }) => name)
  if (names.length === 0) return
  const recorded = await readOwners(connection, names)
  for (const [collection, other] of recorded) if (other !== id) throw collectionTakenError.create({ collection, owner: id, other })
  const unbound = names.filter((name) => !recorded.has(name))
  if (thirdParty && unbound.length > 0) await bindNew(connection, id, unbound)
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
  const stored = new Set((await connection.layouts()).map(({ name }) => name))
  const taken = names.find((name) => stored.has(name))
  if (taken !== undefined) throw collectionTakenError.create({ collection: taken, owner, other: 'a part of the service' })
  await connection.commit({ checks: [], writes: ownerWrites(names, owner) })
}

/** The writes that bind collections to an owner, or to none with null. */
export function ownerWrites(names: readonly string[], owner: string | null): readonly CommitWrite[] {
  return names.map((name): CommitWrite => {
    const id = idOf(name)
    if (owner === null) return { kind: 'delete', collection: internalCollectionName, id }
    return { kind: 'put', collection: internalCollectionName, id, body: JSON.stringify({ id, owner }), keys: [] }
  })
}

/** The owner of every collection that is bound to one. */
export async function allOwners(connection: DatabaseConnection): Promise<ReadonlyMap<string, string>> {
  const owners = new Map<string, string>()
  let afterId = prefix
  for (;;) {
    const page = await connection.scan(internalCollectionName, { afterId, limit: pageSize })
    for (const record of page) {
      if (!record.id.startsWith(prefix)) return owners
      owners.set(record.id.slice(prefix.length), String(documentOf(internalCollectionName, record)['owner']))
    }
    const last = page.at(-1)
    if (!last) return owners
    afterId = last.id
  }
}
