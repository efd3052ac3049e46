import { randomBytes } from 'node:crypto'
import type { SecretCipher } from '@agent-service/kernel-core/secrets'
import type { Database } from '@agent-service/sdk/services/database'
import { authSettings } from '../records/records.js'

const keyId = 'refresh-key'
const binding = { record: `${authSettings.name}/${keyId}`, field: 'value' }

/**
 * Reads the key of refresh tokens, and creates it in an empty database. Two processes that start at
 * once get the same one.
 * @throws `secret_unreadable` if it was sealed under another secret: a new key would silently end
 * every session.
 */
export async function openRefreshKey(dependencies: { readonly database: Database; readonly cipher: SecretCipher }): Promise<Uint8Array> {
  const { database, cipher } = dependencies
  const stored = await database.collection(authSettings).get(keyId)
  if (stored) return cipher.open(stored.value, binding)
  const made = { id: keyId, value: await cipher.seal(randomBytes(32), binding) } as const
  const kept = await database.transaction(async (transaction) => {
    const other = await transaction.get(authSettings, keyId)
    if (other === undefined) transaction.insert(authSettings, made)
    return other ?? made
  })
  return cipher.open(kept.value, binding)
}
