import { decryptBytes, decryptText, type SymmetricKey, symmetricKeyLength } from '../crypto/encrypted-strings.js'
import { type Answer, listOf, objectOf, stringOf } from '../json/camel-case.js'
import { createFreeNames } from './names.js'

/** The kinds of items, as servers number them. */
export const loginType = 1

/** Where a field of an item stands in the cipher. */
export type FieldPlace =
  | { readonly kind: 'login'; readonly member: 'username' | 'password' | 'totp' }
  | { readonly kind: 'uri'; readonly index: number }
  | { readonly kind: 'notes' }
  | { readonly kind: 'custom'; readonly index: number }
  | { readonly kind: 'other' }

/** A field with its encrypted value. */
export interface CipherField {
  readonly place: FieldPlace
  readonly secret: boolean
  readonly encrypted: string
}

const other: FieldPlace = { kind: 'other' }
const secrets: ReadonlySet<string> = new Set(['number', 'code', 'ssn', 'passportNumber', 'licenseNumber', 'privateKey'])

/** Members of cards, identities and SSH keys, which are strings all. */
const sections: Readonly<Record<number, readonly [section: string, members: readonly string[]]>> = {
  3: ['card', ['cardholderName', 'brand', 'number', 'expMonth', 'expYear', 'code']],
  4: [
    'identity',
    [
      ...[
        'title',
        'firstName',
        'middleName',
        'lastName',
        'username',
        'company',
        'email',
        'phone',
        'ssn',
        'passportNumber',
        'licenseNumber',
      ],
      ...['address1', 'address2', 'address3', 'city', 'state', 'postalCode', 'country'],
    ],
  ],
  5: ['sshKey', ['privateKey', 'publicKey', 'keyFingerprint']],
}

/** The key of an item's values: its own, or that of the account or the organisation. Undefined if it does not fit. */
export function cipherKey(cipher: Answer, parent: SymmetricKey): SymmetricKey | undefined {
  const { key } = cipher
  if (key === null || key === undefined) return parent
  const own = decryptBytes(key, parent)
  return own?.length === symmetricKeyLength ? own : undefined
}

/** The fields of an item by the names that people see. Names of custom fields are encrypted too: those that do not decrypt are left out. */
export function cipherFields(cipher: Answer, key: SymmetricKey): ReadonlyMap<string, CipherField> {
  const fields = new Map<string, CipherField>()
  const freeName = createFreeNames(fields)
  const add = (name: string, encrypted: unknown, field: Omit<CipherField, 'encrypted'>): void => {
    if (typeof encrypted === 'string' && encrypted !== '') fields.set(freeName(name), { ...field, encrypted })
  }
  const login = cipher['type'] === loginType ? objectOf(cipher['login']) : undefined
  if (login !== undefined) {
    for (const member of ['username', 'password', 'totp'] as const)
      add(member, login[member], { place: { kind: 'login', member }, secret: member !== 'username' })
    for (const [index, { uri }] of urisOf(login).entries())
      add(index === 0 ? 'uri' : `uri ${index + 1}`, uri, { place: { kind: 'uri', index }, secret: false })
  }
  const [section = '', members = []] = sections[Number(cipher['type'])] ?? []
  for (const member of members) add(member, objectOf(cipher[section])?.[member], { place: other, secret: secrets.has(member) })
  add('notes', cipher['notes'], { place: { kind: 'notes' }, secret: true })
  for (const [index, field] of listOf(cipher['fields']).entries()) {
    if (field['type'] === linkedType) continue
    const name = decryptText(field['name'], key)
    if (name !== undefined) add(name, field['value'], { place: { kind: 'custom', index }, secret: field['type'] === hiddenType })
  }
  return fields
}

/** Kinds of custom fields. */
export const [textType, hiddenType, booleanType, linkedType] = [0, 1, 2, 3] as const

/** Old items have one `uri` instead of a list. */
export function urisOf(login: Answer): readonly Answer[] {
  const uris = listOf(login['uris'])
  return uris.length > 0 ? uris : stringOf(login['uri']) === undefined ? [] : [{ uri: login['uri'] }]
}
