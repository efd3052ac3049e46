import type { VaultItem } from '@agent-service/sdk/contracts/vault-connector'
import { decryptText, type SymmetricKey } from '../crypto/encrypted-strings.js'
import { type Answer, stringOf } from '../json/camel-case.js'
import { cipherFields } from './cipher.js'
import { lineOf } from './names.js'
import type { Profile } from './profile.js'

/** Names a folder, or the collections of an organisation; undefined for neither. */
export type GroupOf = (cipher: Answer) => string | undefined

/** An item without its values; `key` is undefined for one that the keys do not open, which is listed all the same. */
export function describeItem(cipher: Answer, key: SymmetricKey | undefined, groupOf: GroupOf): VaultItem | undefined {
  const id = stringOf(cipher['id'])
  if (id === undefined) return undefined
  const name = key === undefined ? undefined : decryptText(cipher['name'], key)
  const group = groupOf(cipher)
  const revision = stringOf(cipher['revisionDate'])
  const changedAt = revision === undefined ? Number.NaN : Date.parse(revision)
  return {
    id,
    title: name === undefined ? '(cannot be decrypted)' : lineOf(name) || '(no title)',
    ...(group === undefined ? {} : { group }),
    ...(key === undefined ? {} : { fields: [...cipherFields(cipher, key).keys()] }),
    ...(changedAt > 0 ? { changedAt } : {}),
    ...(revision === undefined ? {} : { revision: revision.slice(0, 200) }),
  }
}

/** Decrypts the names of folders and collections when they are asked for. */
export function createGroupOf({ folders, collections, organizations }: Profile, keyOf: KeyOf): GroupOf {
  const names = new Map<string, string | undefined>()
  const once = (id: string, name: () => string | undefined): string | undefined => {
    if (!names.has(id)) names.set(id, name())
    return names.get(id)
  }
  const nameOf = (encrypted: unknown, organizationId: string | undefined): string | undefined => {
    const key = keyOf(organizationId)
    return key === undefined ? undefined : decryptText(encrypted, key)
  }
  return (cipher) => {
    const folder = folders.get(stringOf(cipher['folderId']) ?? '')
    const organizationId = stringOf(cipher['organizationId'])
    const own = folder === undefined ? undefined : once(`folder ${cipher['folderId']}`, () => nameOf(folder, undefined))
    if (own !== undefined || organizationId === undefined) return own === undefined || own === '' ? undefined : lineOf(own)
    const ids = Array.isArray(cipher['collectionIds']) ? cipher['collectionIds'].flatMap((id) => stringOf(id) ?? []) : []
    const shared = ids.flatMap((id) => once(`collection ${id}`, () => nameOf(collections.get(id), organizationId)) ?? [])
    const organization = organizations.get(organizationId)?.name
    return lineOf([organization ?? [], shared.sort().join(', ') || []].flat().join('/')) || undefined
  }
}

/** The key of an organisation, or of the account. */
export type KeyOf = (organizationId: string | undefined) => SymmetricKey | undefined
