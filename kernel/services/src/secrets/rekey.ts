import { checkId, createWrapping, dataKeys, storedDataKeys } from '@agent-service/kernel-core/secrets'
import type { Database, Transaction } from '@agent-service/sdk/services/database'

/**
 * Rewraps every data key under another encryption secret in one transaction: afterwards all keys
 * belong to the new secret, or all to the old one. Secrets sealed under the data keys do not
 * change. `note` adds to the transaction. Resolves with the number of keys.
 * @throws `encryption_secret_wrong` if the keys do not belong to `from`
 */
export async function rekey(
  database: Database,
  secrets: { readonly from: string; readonly to: string },
  note: (transaction: Transaction, keys: number) => void = () => undefined,
): Promise<number> {
  const [before, after] = [createWrapping(secrets.from), createWrapping(secrets.to)]
  return database.transaction(async (transaction) => {
    let count = 0
    // Making a key also writes the check value, which is read here, so this transaction is then
    // retried.
    const ids = [checkId]
    for await (const { id } of storedDataKeys(database)) ids.push(id)
    for (const id of ids) {
      const record = await transaction.get(dataKeys, id)
      if (!record) continue
      transaction.put(dataKeys, { ...record, wrapped: after.wrap(id, before.unwrap(id, record.wrapped)) })
      if (record.kind === 'data_key') count += 1
    }
    note(transaction, count)
    return count
  })
}
