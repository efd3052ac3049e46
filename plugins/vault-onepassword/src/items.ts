import type { ItemOverview, VaultOverview } from '@1password/sdk'
import { type VaultItem, type VaultItems, type VaultListQuery, vaultCursorInvalidError } from '@agent-service/sdk/contracts/vault-connector'
import { isId } from './members.js'
import { vault } from './thread/index.js'

/** Where an item is. */
export interface ItemPlace {
  readonly vaultId: string
  readonly itemId: string
}

/** The id of an item for the contract: that of 1Password's secret references, with ids instead of names. */
export const idOf = ({ vaultId, itemId }: ItemPlace): string => `op://${vaultId}/${itemId}`

/** The place of an id; undefined for one that no item has. */
export function placeOf(id: string): ItemPlace | undefined {
  const [, vaultId = '', itemId = ''] = /^op:\/\/([^/]*)\/([^/]*)$/.exec(id) ?? []
  return isId(vaultId) && isId(itemId) ? { vaultId, itemId } : undefined
}

/** An item for the contract. */
export function itemOf(
  item: Pick<ItemOverview, 'id' | 'title' | 'vaultId'> & { readonly updatedAt?: Date; readonly version?: number },
  group?: string,
): VaultItem {
  const changedAt = item.updatedAt instanceof Date ? item.updatedAt.getTime() : Number.NaN
  const groupLine = lineOf(group ?? '')
  return {
    ...{ id: idOf({ vaultId: item.vaultId, itemId: item.id }), title: lineOf(item.title) || '(blank)' },
    ...(groupLine === '' ? {} : { group: groupLine }),
    ...(Number.isSafeInteger(changedAt) && changedAt > 0 ? { changedAt } : {}),
    ...(item.version === undefined ? {} : { revision: String(item.version) }),
  }
}

const lineOf = (line: string): string =>
  line
    .replace(/[\p{Cc}\p{Cs}\p{Zl}\p{Zp}]/gu, ' ')
    .trim()
    .slice(0, 300)

/** What a list reads from. */
export interface ItemSource {
  readonly vaults: readonly VaultOverview[]
  /** All active items of a vault. */
  itemsOf(vaultId: string): Promise<readonly ItemOverview[]>
}

/**
 * One page, by the ids of vaults and items. The cursor is the id of the last item, which need not
 * exist any more. Vaults are read one after the other until the page is full.
 */
export async function pageOf({ vaults, itemsOf }: ItemSource, { limit, cursor, text }: VaultListQuery): Promise<VaultItems> {
  const after = cursor === undefined ? undefined : placeOf(cursor)
  if (cursor !== undefined && after === undefined) throw vaultCursorInvalidError.create({ vault })
  const wanted = text?.toLowerCase()
  const found: VaultItem[] = []
  for (const { id: vaultId, title } of [...vaults].sort(byId)) {
    if (after !== undefined && vaultId < after.vaultId) continue
    for (const each of [...(await itemsOf(vaultId))].sort(byId)) {
      if (after?.vaultId === vaultId && each.id <= after.itemId) continue
      const item = itemOf({ ...each, vaultId }, title)
      if (!isId(vaultId) || !isId(each.id)) continue
      if (wanted === undefined || `${item.title}\n${item.group ?? ''}\n${item.id}`.toLowerCase().includes(wanted)) found.push(item)
      if (found.length > limit) break
    }
    if (found.length > limit) break
  }
  const items = found.slice(0, limit)
  const last = items.at(-1)
  return { items, ...(last === undefined || found.length <= limit ? {} : { nextCursor: last.id }) }
}

const byId = (a: { readonly id: string }, b: { readonly id: string }): number => (a.id < b.id ? -1 : 1)
