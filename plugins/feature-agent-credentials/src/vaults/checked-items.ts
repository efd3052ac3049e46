import { type VaultField, type VaultItem, type VaultItems, vaultContentInvalidError } from '@agent-service/sdk/contracts/vault-connector'
import { maxItemFields, maxStoredFieldNames, maxValueCharacters } from '../common/limits.js'
import { textOf } from '../common/time.js'
import type { StoredItem } from '../store/vault.js'

const maxIdCharacters = 1_000
const maxTitleCharacters = 300
const maxFieldNameCharacters = 200
const maxTime = 8_640_000_000_000_000

/** The items of a page as they are stored. What a connector answers is checked, and cut to size. */
export function checkedItems(vault: string, page: VaultItems): { readonly items: readonly StoredItem[]; readonly nextCursor?: string } {
  const { items, nextCursor } = page as Partial<VaultItems>
  if (!Array.isArray(items) || items.length > 200) throw invalid(vault, 'its list of items is no list of at most 200')
  if (nextCursor !== undefined && typeof nextCursor !== 'string') throw invalid(vault, 'its cursor is no text')
  return { items: (items as readonly VaultItem[]).map((item) => checkedItem(vault, item)), ...(nextCursor !== undefined && { nextCursor }) }
}

function checkedItem(vault: string, item: VaultItem): StoredItem {
  const { id, title, group, fields, changedAt } = (item ?? {}) as Partial<VaultItem>
  if (!isText(id, maxIdCharacters)) throw invalid(vault, `an item has no id of 1 to ${maxIdCharacters} characters`)
  const names = Array.isArray(fields) ? (fields as readonly unknown[]).filter((name) => isText(name, maxFieldNameCharacters)) : []
  return {
    id,
    title: typeof title === 'string' && title !== '' ? line(title, maxTitleCharacters) : line(id, maxTitleCharacters),
    group: typeof group === 'string' && group !== '' ? line(group, maxTitleCharacters) : null,
    fields: names.slice(0, maxStoredFieldNames),
    changed_at: typeof changedAt === 'number' && Math.abs(changedAt) <= maxTime ? textOf(changedAt) : null,
  }
}

/** The fields of an item that was read; it has to be the one that was asked for. */
export function checkedFields(
  vault: string,
  id: string,
  answer: { readonly item: VaultItem; readonly fields: readonly VaultField[] },
): { readonly title: string; readonly fields: readonly VaultField[] } {
  const { item, fields } = (answer ?? {}) as Partial<typeof answer>
  if (item?.id !== id) throw invalid(vault, 'it answered with another item than the one that was asked for')
  if (!Array.isArray(fields) || fields.length > maxItemFields) throw invalid(vault, `the item has more than ${maxItemFields} fields`)
  const names = new Set<string>()
  for (const { name, value, secret } of fields as readonly VaultField[]) {
    if (!isText(name, maxFieldNameCharacters) || names.has(name)) throw invalid(vault, 'the names of the fields are too long or not unique')
    if (typeof value !== 'string' || value.length > maxValueCharacters)
      throw invalid(vault, `the field “${line(name, 60)}” has no value of at most ${maxValueCharacters} characters`)
    if (typeof secret !== 'boolean') throw invalid(vault, `the field “${line(name, 60)}” does not say whether it is a secret`)
    names.add(name)
  }
  return { title: checkedItem(vault, item).title, fields: fields as readonly VaultField[] }
}

const isText = (value: unknown, longest: number): value is string =>
  typeof value === 'string' && value.length > 0 && value.length <= longest

/** One line for people: control characters become spaces. */
export const line = (text: string, longest: number): string => text.replaceAll(/[\p{Cc}\p{Cf}\u2028\u2029]+/gu, ' ').slice(0, longest)

const invalid = (vault: string, reason: string): Error => vaultContentInvalidError.create({ vault, reason })
