import type { VaultField } from '@agent-service/sdk/contracts/vault-connector'
import kdbxweb, { type KdbxEntry, type KdbxEntryField } from 'kdbxweb'

/** The field that is the title of an entry, not one of its fields. */
export const titleKey = 'Title'

/** Every entry has these; they are shown when they hold something. */
export const standardKeys: readonly string[] = ['UserName', 'Password', 'URL', 'Notes']

const maxNameLength = 200

export const textOf = (value: KdbxEntryField | undefined): string =>
  value === undefined ? '' : typeof value === 'string' ? value : value.getText()

export const isSecret = (key: string, value: KdbxEntryField): boolean => key === 'Password' || value instanceof kdbxweb.ProtectedValue

/**
 * The keys of the shown fields by the names that people see: a longer one is cut, and the second of
 * a name has a number.
 */
export function fieldKeys(entry: KdbxEntry): ReadonlyMap<string, string> {
  const keys = new Map<string, string>()
  for (const [key, value] of entry.fields) {
    if (key === titleKey || (standardKeys.includes(key) && isEmpty(value))) continue
    keys.set(freeName(key, keys), key)
  }
  return keys
}

const isEmpty = (value: KdbxEntryField): boolean => (typeof value === 'string' ? value === '' : value.byteLength === 0)

function freeName(key: string, taken: ReadonlyMap<string, string>): string {
  if (key.length <= maxNameLength && !taken.has(key)) return key
  for (let number = 1; ; number += 1) {
    const end = number === 1 ? '…' : `… (${number})`
    const name = `${key.slice(0, maxNameLength - end.length)}${end}`
    if (!taken.has(name)) return name
  }
}

/** The shown fields as they stand in the file, before references are resolved. */
export const plainFields = (entry: KdbxEntry): readonly (VaultField & { readonly key: string })[] =>
  [...fieldKeys(entry)].map(([name, key]) => {
    const value = entry.fields.get(key) ?? ''
    return { name, key, value: textOf(value), secret: isSecret(key, value) }
  })
