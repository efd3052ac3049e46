import { notFoundError } from '@agent-service/sdk/contracts/http-route'
import type { Database, Transaction } from '@agent-service/sdk/services/database'
import type { LocalCredentials } from '../local/local-credentials.js'
import { credentialCollection } from '../store/credential.js'
import type { Grant, GrantSource } from '../store/grant.js'
import { vaultCollection } from '../store/vault.js'
import { readItem, type VaultUse } from '../vaults/read-item.js'
import type { VaultService } from '../vaults/vault-service.js'
import type { SourceField } from './bindings.js'

/** A field with its value. */
export interface ValuedField extends SourceField {
  readonly value: string
}

/** What a grant leads to. */
export interface OpenSource {
  readonly name: string
  readonly title: string
  readonly fields: readonly ValuedField[]
}

/** The credentials that grants lead to, wherever they are kept. */
export interface Sources {
  /** With its values, as they are now. @throws `not_found`, an error of the vault, the signal's reason. */
  open(userId: string, source: GrantSource, options: { readonly signal: AbortSignal }): Promise<OpenSource>
  /** Whether it is there and the user may use it; a vault is not asked. */
  exists(userId: string, source: GrantSource): Promise<boolean>
}

export interface SourcesDependencies extends VaultUse {
  readonly database: Pick<Database, 'collection'>
  readonly local: LocalCredentials
  readonly vaults: Pick<VaultService, 'demand' | 'find'>
}

export function createSources(dependencies: SourcesDependencies): Sources {
  const { database, local, vaults } = dependencies
  return {
    async open(userId, source, { signal }) {
      if (source.kind === 'vault') {
        const vault = await vaults.demand(userId, source.vault_id)
        const item = await readItem(dependencies, vault, source.item_id, signal)
        return { name: nameFrom(item.title), ...item }
      }
      const credential = await local.find(userId, source.credential_id)
      if (!credential) throw notFoundError.create({ what: 'credential' })
      const values = await local.open(credential)
      const fields = credential.fields.map((field) => ({ ...field, value: values.get(field.name) ?? '' }))
      return { name: credential.name, title: credential.title, fields }
    },
    async exists(userId, source) {
      if (source.kind === 'local') return (await database.collection(credentialCollection).get(source.credential_id))?.user_id === userId
      return (await vaults.find(userId, source.vault_id)) !== undefined
    },
  }
}

/** Whether a transaction finds the credential of the user, or the connection; that it stays holds at the commit. */
export async function hasSource(transaction: Transaction, userId: string, source: GrantSource): Promise<boolean> {
  if (source.kind === 'local') return (await transaction.get(credentialCollection, source.credential_id))?.user_id === userId
  const vault = await transaction.get(vaultCollection, source.vault_id)
  return vault !== undefined && (vault.user_id === null || vault.user_id === userId)
}

/** Where a source is kept, for the index. */
export const sourceIdOf = (source: GrantSource): string => (source.kind === 'local' ? source.credential_id : source.vault_id)

/**
 * The fields of a grant that its source still has, with their values. What has become a secret since
 * it was granted is one.
 */
export function grantedValues({ fields }: Pick<Grant, 'fields'>, source: OpenSource) {
  const now = new Map(source.fields.map((field) => [field.name, field]))
  return fields.flatMap((field) => {
    const found = now.get(field.name)
    return found === undefined ? [] : [{ ...field, secret: field.secret || found.secret, value: found.value }]
  })
}

/** What an agent may call something by: `^[a-z][a-z0-9_-]{0,63}$`, from a title for people. */
export function nameFrom(title: string): string {
  const plain = title
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/\p{M}+/gu, '')
  const name = plain
    .replaceAll(/[^a-z0-9_-]+/g, '-')
    .replace(/^[^a-z]+/, '')
    .slice(0, 64)
    .replace(/-+$/, '')
  return name === '' ? 'credential' : name
}
