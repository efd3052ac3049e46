import { createHash } from 'node:crypto'
import type { VaultField, VaultWrite } from '@agent-service/sdk/contracts/vault-connector'
import { decryptText, encrypt, type SymmetricKey } from '../crypto/encrypted-strings.js'
import { type Answer, type Json, listOf, objectOf } from '../json/camel-case.js'
import { booleanType, type CipherField, cipherFields, hiddenType, linkedType, loginType, textType, urisOf } from './cipher.js'

/** What a changed or new login is made of. */
interface Change {
  /** The login as it is; empty for a new one. */
  readonly cipher: Answer
  readonly key: SymmetricKey
  readonly write: VaultWrite
  /** The time of the change, as servers write it. */
  readonly now: string
}

/** As many former passwords are kept as Bitwarden's own clients keep. */
const maxHistory = 5

/**
 * The body of a request that creates or replaces a login. What the connector does not show stays:
 * passkeys, linked fields, the matching of addresses, the history, to which a changed password goes.
 */
export function changeCipher({ cipher, key, write, now }: Change): Json {
  const shown = cipherFields(cipher, key)
  const login = objectOf(cipher['login']) ?? {}
  const wanted = new Map(write.fields.map((field) => [field.name, field]))
  const encryptedOf = (name: string): string | null => valueFor(wanted.get(name), shown.get(name), key)
  const password = encryptedOf('password')
  const former = typeof login['password'] === 'string' && login['password'] !== password ? login['password'] : undefined
  return {
    ...kept(cipher),
    type: loginType,
    name: write.title === undefined && typeof cipher['name'] === 'string' ? cipher['name'] : encrypt(write.title ?? '', key),
    notes: encryptedOf('notes'),
    login: {
      ...login,
      uri: null,
      uris: changedUris(login, { wanted, shown, key, hasOwnKey: typeof cipher['key'] === 'string' }),
      ...{ username: encryptedOf('username'), password, totp: encryptedOf('totp') },
      ...(former === undefined ? {} : { passwordRevisionDate: now }),
    },
    fields: changedFields(cipher, { wanted, shown, key }),
    passwordHistory: [
      ...(former === undefined ? [] : [{ password: former, lastUsedDate: now }]),
      ...listOf(cipher['passwordHistory']),
    ].slice(0, maxHistory),
    lastKnownRevisionDate: cipher['revisionDate'] ?? null,
  }
}

/** Names of a login's own members; every other field is a custom one. */
const ownNames = /^(?:username|password|totp|notes|uri(?: [1-9]\d{0,2})?)$/

function kept({ folderId = null, organizationId = null, favorite = false, reprompt = 0, key = null }: Answer): {
  readonly [name: string]: Json
} {
  return { folderId, organizationId, favorite, reprompt, key }
}

interface Fields {
  readonly wanted: ReadonlyMap<string, VaultField>
  readonly shown: ReadonlyMap<string, CipherField>
  readonly key: SymmetricKey
}

/** What is encrypted already stays as it is while its value does. */
function valueFor(field: VaultField | undefined, present: CipherField | undefined, key: SymmetricKey): string | null {
  if (field === undefined || field.value === '') return null
  return present !== undefined && decryptText(present.encrypted, key) === field.value ? present.encrypted : encrypt(field.value, key)
}

function changedUris(login: Answer, { wanted, shown, key, hasOwnKey }: Fields & { readonly hasOwnKey: boolean }): readonly Json[] {
  const before = urisOf(login)
  return [...wanted.values()].flatMap((field): Json[] => {
    if (!/^uri(?: [1-9]\d{0,2})?$/.test(field.name)) return []
    const present = shown.get(field.name)
    const uri = valueFor(field, present, key)
    if (uri === null) return []
    const old = present?.place.kind === 'uri' ? before[present.place.index] : undefined
    if (old !== undefined && old['uri'] === uri) return [old]
    const uriChecksum = hasOwnKey ? encrypt(createHash('sha256').update(field.value).digest('base64'), key) : null
    return [{ uri, uriChecksum, match: old?.['match'] ?? null }]
  })
}

function changedFields(cipher: Answer, { wanted, shown, key }: Fields): readonly Json[] {
  const before = listOf(cipher['fields'])
  const linked = before.filter(({ type }) => type === linkedType)
  const custom = [...wanted.values()].flatMap((field): Json[] => {
    const place = shown.get(field.name)?.place
    if (place?.kind !== 'custom' && ownNames.test(field.name)) return []
    const old = place?.kind === 'custom' ? before[place.index] : undefined
    const isBoolean = old?.['type'] === booleanType && !field.secret && /^(?:true|false)$/.test(field.value)
    const type = isBoolean ? booleanType : field.secret ? hiddenType : textType
    return [{ type, name: old?.['name'] ?? encrypt(field.name, key), value: valueFor(field, shown.get(field.name), key), linkedId: null }]
  })
  return [...custom, ...linked]
}
