import { type VaultField, type VaultItem, vaultContentInvalidError } from '@agent-service/sdk/contracts/vault-connector'
import { vault } from '../connection/vault-name.js'
import { decryptText, type SymmetricKey } from '../crypto/encrypted-strings.js'
import type { Answer } from '../json/camel-case.js'
import { cipherFields } from './cipher.js'
import { describeItem, type GroupOf } from './describe-item.js'

/** An item as it came, with the key of its values. */
export interface EncryptedItem {
  readonly cipher: Answer
  readonly key: SymmetricKey
  readonly groupOf: GroupOf
}

/** An item with its values. @throws `vault_content_invalid` if one of them is not of the account's keys. */
export function readItem({ cipher, key, groupOf }: EncryptedItem): {
  readonly item: VaultItem
  readonly fields: readonly VaultField[]
} {
  const item = describeItem(cipher, key, groupOf)
  if (item === undefined || decryptText(cipher['name'], key) === undefined) throw damaged()
  const fields = [...cipherFields(cipher, key)].map(([name, { encrypted, secret }]) => {
    const value = decryptText(encrypted, key)
    if (value === undefined) throw damaged()
    return { name, value, secret }
  })
  return { item, fields }
}

const damaged = (): Error =>
  vaultContentInvalidError.create({
    vault,
    reason: 'a value of the item is damaged, or encrypted with a key that the account does not have',
  })
