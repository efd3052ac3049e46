import type { VaultField } from '@agent-service/sdk/contracts/vault-connector'
import type { KdbxEntry } from 'kdbxweb'
import { isSecret, textOf } from './entry-fields.js'
import { invalid } from './problem.js'

/** A reference to a field of an entry by its id: `{REF:P@I:…}`. References by other marks stay as they are. */
const reference = /\{REF:([TUPAN])@I:([0-9A-F]{32})\}/gi

const keyOf: Readonly<Record<string, string>> = { T: 'Title', U: 'UserName', P: 'Password', A: 'URL', N: 'Notes' }

const maxDepth = 8
/** Texts may refer to texts with several references: what that may grow to. */
const maxTotalLength = 1_000_000
/** They may also lead to nothing, again and again. */
const maxReferences = 10_000

/** Resolves the references in the fields of an entry. */
export interface References {
  /**
   * The field with what it refers to; secret if any part is. A reference to an entry that is not
   * there stays as it is. @throws `vault_content_invalid` for references that go on for ever or grow
   * too large.
   */
  resolve<Field extends VaultField>(field: Field): Field
}

/** @param find - an entry by its id in hexadecimal digits. */
export function createReferences(find: (id: string) => KdbxEntry | undefined): References {
  let length = 0
  let references = 0

  const expand = (value: string, depth: number): { readonly value: string; readonly secret: boolean } => {
    let secret = false
    const expanded = value.replaceAll(reference, (whole, mark: string, id: string) => {
      const entry = find(id.toLowerCase())
      const key = keyOf[mark.toUpperCase()]
      if (entry === undefined || key === undefined) return whole
      references += 1
      if (references > maxReferences) throw invalid('its entries refer to each other too often')
      if (depth === maxDepth) throw invalid('its entries refer to each other without an end')
      const found = entry.fields.get(key) ?? ''
      const inner = expand(textOf(found), depth + 1)
      secret ||= inner.secret || isSecret(key, found)
      return inner.value
    })
    length += expanded.length
    if (length > maxTotalLength) throw invalid('its entries refer to more text than can be shown')
    return { value: expanded, secret }
  }

  return {
    resolve(field) {
      const { value, secret } = expand(field.value, 0)
      return { ...field, value, secret: field.secret || secret }
    },
  }
}
