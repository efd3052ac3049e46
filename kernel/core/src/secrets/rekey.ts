import type { Database, Transaction } from '@agent-service/sdk/services/database'
import { checkId, dataKeys, storedDataKeys } from './secret-records.js'
import { createWrapping } from './wrapping.js'

/**
 * Wraps every data key anew under another encryption secret, in one write: either all of them belong to the new secret or all to the old one. What is
 * sealed under the data keys stays as it is. `note` adds to that write. Resolves to how many there were.
 * @throws `encryption_secret_wrong` when the keys do not belong to `from`.
 */
export async function rekey(
  database: Database,
  secrets: { readonly from: string; readonly to: string },
  note: (transaction: Transaction, keys: number) => void = () => undefined,
): Promise<number> {
  const [before, after] = [createWrapping(secrets.from), createWrapping(secrets.to)]
  return database.transaction(async (transaction) => {
    let count = 0
    // Whoever makes a key writes the check value, which is read here: then this runs again and sees that key.
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
