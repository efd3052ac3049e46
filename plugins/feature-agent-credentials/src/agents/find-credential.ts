import { type Database, documentsOf } from '@agent-service/sdk/services/database'
import type { LocalCredentials } from '../local/local-credentials.js'
import { credentialCollection } from '../store/credential.js'
import type { GrantSource } from '../store/grant.js'
import { knownItems } from '../vaults/stored-items.js'
import type { VaultService } from '../vaults/vault-service.js'

/** The credentials that a person can name in an answer. */
export interface NamedCredentials {
  /**
   * By the name or the title of a local credential, else by the title of an item of a vault as it
   * was synchronised, in any case. `undefined` for none, and for more than one.
   */
  find(userId: string, text: string): Promise<GrantSource | undefined>
}

export function createNamedCredentials({
  database,
  local,
  vaults,
}: {
  readonly database: Pick<Database, 'collection'>
  readonly local: Pick<LocalCredentials, 'findByName'>
  readonly vaults: Pick<VaultService, 'list'>
}): NamedCredentials {
  return {
    async find(userId, text) {
      const named = await local.findByName(userId, text.toLowerCase())
      if (named) return { kind: 'local', credential_id: named.id }
      const found: GrantSource[] = []
      for await (const { id, title } of documentsOf(database, credentialCollection, { index: 'by_user', equals: [userId] }))
        if (isSame(title, text)) found.push({ kind: 'local', credential_id: id })
      for (const vault of await vaults.list(userId))
        for (const { id, title } of await knownItems(database, vault.id))
          if (isSame(title, text)) found.push({ kind: 'vault', vault_id: vault.id, item_id: id })
      return found.length === 1 ? found[0] : undefined
    },
  }
}

const isSame = (left: string, right: string): boolean => left.toLowerCase() === right.toLowerCase()
