import type { UserData } from '@agent-service/sdk/contracts/user-data'
import { type Database, documentsOf } from '@agent-service/sdk/services/database'
import { credentialEntries, type StoredCredential, summaryOf } from './store/stored-credential.js'

/**
 * Export, erasure and size of one user's credentials. An export contains their metadata, never
 * their secrets.
 */
export function createCredentialUserData(dependencies: {
  readonly database: Database
  /** Called before the first is erased: cancels sign-ins that would create new ones. */
  readonly endSignIns: (userId: string) => void
  /** Erases one credential. */
  readonly erase: (record: StoredCredential, signal: AbortSignal) => Promise<void>
}): UserData {
  const { database, endSignIns, erase } = dependencies
  return {
    specVersion: 1,
    id: 'credentials',
    collections: [credentialEntries.name],
    shownBy: ['listPersonalCredentials', 'getPersonalCredential'],
    async *export(userId, { signal }) {
      for await (const record of recordsOf(database, userId, signal)) {
        const { owner: _theirs, ...summary } = summaryOf(record)
        yield { path: `credentials/${record.plugin_id}/${summary.id}.json`, json: { plugin: record.plugin_id, ...summary } }
      }
    },
    async erase(userId, { signal }) {
      endSignIns(userId)
      for await (const record of recordsOf(database, userId, signal)) await erase(record, signal)
    },
    async size(userId, { signal }) {
      let [records, bytes] = [0, 0]
      for await (const record of recordsOf(database, userId, signal)) {
        records += 1
        bytes += Buffer.byteLength(JSON.stringify(record))
      }
      return { records, bytes }
    },
  }
}

const recordsOf = (database: Database, userId: string, signal: AbortSignal): AsyncIterable<StoredCredential> =>
  documentsOf(database, credentialEntries, { index: 'by_user', equals: [userId], signal, pageSize: 200 })
