import type { VaultField, VaultWrite } from '@agent-service/sdk/contracts/vault-connector'
import kdbxweb, { type Kdbx, type KdbxEntry } from 'kdbxweb'
import { type Entries, hexOf } from './entries.js'
import { fieldKeys, standardKeys, titleKey } from './entry-fields.js'
import { invalid, problem } from './problem.js'

/**
 * Changes an entry, or adds one to the root group, and gives its id. What it was before is kept in
 * its history, as many versions as the database wants. @throws `vault_item_not_found`,
 * `vault_conflict`, `vault_content_invalid`.
 */
export function writeEntry(kdbx: Kdbx, entries: Entries, item: VaultWrite): string {
  const names = item.fields.map(({ name }) => name)
  if (new Set(names).size < names.length) throw invalid('two of the fields to write have the same name')
  if (names.includes(titleKey)) throw invalid(`“${titleKey}” is the title of an entry, not one of its fields`)
  if (item.id === undefined) return addEntry(kdbx, item)
  const placed = entries.get(item.id)
  if (item.revision !== undefined && entries.itemWithRevision(placed).revision !== item.revision)
    throw problem('vault_conflict', { what: 'The entry' })
  const { entry } = placed
  const shown = new Map(entries.fields(placed).map((field) => [field.name, field]))
  const keys = fieldKeys(entry)
  entry.pushHistory()
  const { historyMaxItems } = kdbx.meta
  if (historyMaxItems !== undefined && historyMaxItems >= 0 && entry.history.length > historyMaxItems)
    entry.removeHistory(0, entry.history.length - historyMaxItems)
  const before = new Map(entry.fields)
  if (item.title !== undefined) set(entry, kdbx, { key: titleKey, value: item.title, secret: false })
  const written = new Set<string>([titleKey])
  for (const field of item.fields) {
    const key = keys.get(field.name) ?? field.name
    written.add(key)
    const old = shown.get(field.name)
    const present = before.get(key)
    // A reference stays one while its value does.
    if (old?.value === field.value && old.secret === field.secret && present !== undefined) continue
    set(entry, kdbx, { key, value: field.value, secret: field.secret })
  }
  for (const key of entry.fields.keys()) if (!written.has(key)) remove(entry, kdbx, key)
  entry.times.update()
  return placed.id
}

function addEntry(kdbx: Kdbx, { title = '', fields }: VaultWrite): string {
  const entry = kdbx.createEntry(kdbx.getDefaultGroup())
  for (const key of standardKeys) set(entry, kdbx, { key, value: '', secret: false })
  set(entry, kdbx, { key: titleKey, value: title, secret: false })
  for (const { name, value, secret } of fields) set(entry, kdbx, { key: name, value, secret })
  return hexOf(entry.uuid)
}

/** Protected if it is a secret, or the database protects all of this kind. */
function set(entry: KdbxEntry, kdbx: Kdbx, { key, value, secret }: { readonly key: string } & Omit<VaultField, 'name'>): void {
  const isProtected = secret || protectedKeys(kdbx).has(key)
  entry.fields.set(key, isProtected ? kdbxweb.ProtectedValue.fromString(value) : value)
}

/** KeePass expects the standard fields, so those are emptied. */
function remove(entry: KdbxEntry, kdbx: Kdbx, key: string): void {
  if (standardKeys.includes(key)) set(entry, kdbx, { key, value: '', secret: false })
  else entry.fields.delete(key)
}

function protectedKeys({ meta: { memoryProtection } }: Kdbx): ReadonlySet<string> {
  const { title, userName, password, url, notes } = memoryProtection
  const kinds = { Title: title, UserName: userName, Password: password, URL: url, Notes: notes }
  return new Set(Object.entries(kinds).flatMap(([key, isProtected]) => (isProtected === true ? [key] : [])))
}
