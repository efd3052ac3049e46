import { defineUserData, type UserData } from '@agent-service/sdk/contracts/user-data'
import { type Database, documentsOf } from '@agent-service/sdk/services/database'
import type { Masking } from './masking/masking.js'
import { maskingCollections } from './masking/masking.js'
import { collections } from './store/collections.js'
import { credentialCollection } from './store/credential.js'
import { grantCollection } from './store/grant.js'
import { logCollection } from './store/log-entry.js'
import { vaultCollection } from './store/vault.js'
import type { ConnectorCalls } from './vaults/connector-calls.js'

/**
 * Export, erasure and size of one user's credentials. An export has no value of a credential, no
 * secret of a connection, and no list of a vault's items, which are in the vault.
 */
export function createCredentialsUserData(dependencies: {
  readonly database: Database
  readonly masking: Pick<Masking, 'forgetUser' | 'size'>
  readonly calls: Pick<ConnectorCalls, 'forget'>
}): UserData {
  const { database, masking, calls } = dependencies
  return defineUserData({
    id: 'agent-credentials',
    collections: [...collections, ...maskingCollections].map(({ name }) => name),
    shownBy: ['listPersonalCredentials', 'getPersonalCredential', 'listVaults', 'getVault', 'listCredentialGrants', 'listCredentialLog'],
    async *export(userId, { signal }) {
      const place = { index: 'by_user', equals: [userId], signal }
      for await (const { values: _, ...credential } of documentsOf(database, credentialCollection, place))
        yield {
          path: `agent-credentials/credentials/${credential.id}.json`,
          json: { ...credential, fields: credential.fields.map((field) => ({ ...field })) },
        }
      for await (const { secrets: _, access: __, failure, ...vault } of documentsOf(database, vaultCollection, place))
        yield { path: `agent-credentials/vaults/${vault.id}.json`, json: { ...vault, failure: failure && { ...failure } } }
      for await (const grant of documentsOf(database, grantCollection, place))
        yield {
          path: `agent-credentials/grants/${grant.id}.json`,
          json: { ...grant, source: { ...grant.source }, fields: grant.fields.map((field) => ({ ...field })) },
        }
      for await (const entry of documentsOf(database, logCollection, place))
        yield { path: `agent-credentials/log/${entry.id}.json`, json: { ...entry } }
    },
    async erase(userId, { signal }) {
      const place = { index: 'by_user', equals: [userId], signal }
      const connections: { readonly id: string; readonly connector: string }[] = []
      for await (const { id, connector } of documentsOf(database, vaultCollection, place)) connections.push({ id, connector })
      for (const collection of collections)
        for (;;) {
          signal.throwIfAborted()
          const { items } = await database.collection(collection).query({ index: 'by_user', equals: [userId], limit: 50 })
          if (items.length === 0) break
          await database.transaction(async (transaction) => {
            for (const { id } of items) transaction.delete(collection, id)
          })
        }
      await masking.forgetUser(userId, { signal })
      for (const { id, connector } of connections) await calls.forget(connector, id)
    },
    async size(userId, { signal }) {
      let { records, bytes } = await masking.size(userId, { signal })
      for (const collection of collections)
        for await (const document of documentsOf(database, collection, { index: 'by_user', equals: [userId], signal })) {
          records += 1
          bytes += Buffer.byteLength(JSON.stringify(document))
        }
      return { records, bytes }
    },
  })
}
