import type { Database, Transaction } from '@agent-service/sdk/services/database'
import { itemsPerDocument, maxStoredItems } from '../common/limits.js'
import { itemCollection, itemListId, type StoredItem, type Vault } from '../store/vault.js'

const maxDocuments = Math.ceil(maxStoredItems / itemsPerDocument)

/** Replaces what is known of the items of a connection. */
export async function storeItems(transaction: Transaction, vault: Vault, items: readonly StoredItem[]): Promise<void> {
  const needed = Math.ceil(items.length / itemsPerDocument)
  for (let number = 0; number < maxDocuments; number += 1) {
    const id = itemListId(vault.id, number)
    const part = items.slice(number * itemsPerDocument, (number + 1) * itemsPerDocument)
    if (number < needed) transaction.put(itemCollection, { id, vault_id: vault.id, user_id: vault.user_id, items: part })
    else if ((await transaction.get(itemCollection, id)) === undefined) return
    else transaction.delete(itemCollection, id)
  }
}

/** What is known of the items of a connection, in the order of the vault; without a call. */
export async function knownItems(database: Pick<Database, 'collection'>, vaultId: string): Promise<readonly StoredItem[]> {
  const items: StoredItem[] = []
  for (let number = 0; number < maxDocuments; number += 1) {
    const list = await database.collection(itemCollection).get(itemListId(vaultId, number))
    if (!list) break
    items.push(...list.items)
  }
  return items
}

/** Those whose title, group or id has the text, in any case. */
export function matchingItems(items: readonly StoredItem[], text: string | undefined): readonly StoredItem[] {
  if (text === undefined) return items
  const wanted = text.toLowerCase()
  return items.filter(({ id, title, group }) => [title, group ?? '', id].some((each) => each.toLowerCase().includes(wanted)))
}
