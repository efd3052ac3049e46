import type { UserData } from '@agent-service/sdk/contracts/user-data'
import type { CollectionDefinition, Database, StoredObject } from '@agent-service/sdk/services/database'
import { invitations } from './admission-records.js'
import { emailConfirmations } from './email-records.js'
import { credentialDenials, externalIdentities, handOvers, knownAddresses, personalAccessTokens, sessions } from './records.js'

interface OwnedCollection {
  readonly definition: CollectionDefinition
  readonly folder: string
  /** Members that prove an identity; they are not exported. */
  readonly withheld: readonly string[]
}

const owned: readonly OwnedCollection[] = [
  { definition: sessions as CollectionDefinition, folder: 'sessions', withheld: [] },
  { definition: knownAddresses as CollectionDefinition, folder: 'known-addresses', withheld: [] },
  { definition: externalIdentities as CollectionDefinition, folder: 'external-identities', withheld: [] },
  { definition: personalAccessTokens as CollectionDefinition, folder: 'access-tokens', withheld: ['digest'] },
  { definition: credentialDenials as CollectionDefinition, folder: 'ended-credentials', withheld: [] },
  { definition: handOvers as CollectionDefinition, folder: 'hand-overs', withheld: [] },
  { definition: emailConfirmations as CollectionDefinition, folder: 'email-confirmations', withheld: ['digest'] },
  { definition: invitations as CollectionDefinition, folder: 'invitations', withheld: ['digest'] },
]

/** The user data of sign-ins and tokens. */
export function createSignInUserData({ database }: { readonly database: Database }): UserData {
  async function* ofUser(
    userId: string,
    signal: AbortSignal,
  ): AsyncIterable<{ readonly from: OwnedCollection; readonly record: StoredObject }> {
    for (const from of owned) {
      let cursor: string | undefined
      do {
        signal.throwIfAborted()
        const page = await database
          .collection(from.definition)
          .query({ index: 'by_user', equals: [userId], limit: 200, ...(cursor === undefined ? {} : { cursor }) })
        for (const record of page.items) yield { from, record }
        cursor = page.nextCursor
      } while (cursor !== undefined)
    }
  }

  return {
    specVersion: 1,
    id: 'kernel-sessions',
    collections: owned.map(({ definition }) => definition.name),
    shownBy: ['getOwnProfile', 'listSessions', 'listTokens'],
    async *export(userId, { signal }) {
      for await (const { from, record } of ofUser(userId, signal)) {
        const json = Object.fromEntries(Object.entries(record).filter(([name]) => !from.withheld.includes(name)))
        yield { path: `${from.folder}/${record.id}.json`, json }
      }
    },
    async erase(userId, { signal }) {
      for await (const { from, record } of ofUser(userId, signal)) await database.collection(from.definition).delete(record.id)
    },
    // The sign-in that hands the account over has ended what there was: the rest is the new holder's.
    handOver: async () => [],
    async size(userId, { signal }) {
      let records = 0
      let bytes = 0
      for await (const { record } of ofUser(userId, signal)) {
        records += 1
        bytes += Buffer.byteLength(JSON.stringify(record))
      }
      return { records, bytes }
    },
  }
}
