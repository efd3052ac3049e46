import type { VaultItem, VaultItems, VaultListQuery } from '@agent-service/sdk/contracts/vault-connector'
import { decryptBytes, decryptWithPrivateKey, type SymmetricKey, symmetricKeyLength } from '../crypto/encrypted-strings.js'
import { cipherKey } from '../items/cipher.js'
import { createGroupOf, describeItem, type KeyOf } from '../items/describe-item.js'
import { lineOf } from '../items/names.js'
import type { Profile } from '../items/profile.js'
import { type Answer, camelCased, listOf, objectOf, stringOf } from '../json/camel-case.js'
import type { SyncAnswer, SyncWork } from './sync-protocol.js'

const maxOrganizations = 200

/** Reads a sync and one page of its items. */
export function readSync({ body, userKey, query }: SyncWork): SyncAnswer {
  const sync = parse(body)
  const profile = sync && readProfile(sync, userKey)
  if (sync === undefined || profile === undefined) return { failed: 'damaged' }
  if (query === undefined) return { profile }
  const after = query.cursor === undefined ? undefined : readCursor(query.cursor)
  if (after === 'none of ours') return { failed: 'cursor' }
  return { profile, page: pageOf(itemsOf(listOf(sync['ciphers']), profile, userKey), query, after) }
}

function parse(body: Uint8Array): Answer | undefined {
  try {
    return objectOf(camelCased(JSON.parse(new TextDecoder().decode(body))))
  } catch {
    // Said by the value.
    return undefined
  }
}

function readProfile(sync: Answer, userKey: SymmetricKey): Profile | undefined {
  const profile = objectOf(sync['profile'])
  const userId = stringOf(profile?.['id'])
  const email = stringOf(profile?.['email'])
  if (profile === undefined || userId === undefined || email === undefined || !Array.isArray(sync['ciphers'])) return undefined
  const pair = objectOf(objectOf(profile['accountKeys'])?.['publicKeyEncryptionKeyPair'])
  const privateKey = decryptBytes(profile['privateKey'] ?? pair?.['wrappedPrivateKey'], userKey)
  const organizations = listOf(profile['organizations']).slice(0, maxOrganizations)
  return {
    ...{ userId, email },
    folders: namesOf(sync['folders']),
    collections: namesOf(sync['collections']),
    organizations: new Map(
      organizations.flatMap(({ id, name, key: encrypted }) => {
        const key = privateKey === undefined ? undefined : decryptWithPrivateKey(encrypted, privateKey)
        return typeof id !== 'string' || key?.length !== symmetricKeyLength
          ? []
          : [[id, { name: lineOf(stringOf(name) ?? ''), key }] as const]
      }),
    ),
  }
}

const namesOf = (value: unknown): ReadonlyMap<string, string> =>
  new Map(listOf(value).flatMap(({ id, name }) => (typeof id === 'string' && typeof name === 'string' ? [[id, name] as const] : [])))

/** The key for a cipher of the account or of one of its organisations. */
export const createKeyOf =
  ({ organizations }: Profile, userKey: SymmetricKey): KeyOf =>
  (organizationId) =>
    organizationId === undefined ? userKey : organizations.get(organizationId)?.key

function itemsOf(ciphers: readonly Answer[], profile: Profile, userKey: SymmetricKey): readonly VaultItem[] {
  const keyOf = createKeyOf(profile, userKey)
  const groupOf = createGroupOf(profile, keyOf)
  return ciphers
    .filter(({ deletedDate }) => deletedDate === null || deletedDate === undefined)
    .flatMap((cipher) => {
      const parent = keyOf(stringOf(cipher['organizationId']))
      return describeItem(cipher, parent && cipherKey(cipher, parent), groupOf) ?? []
    })
}

/** What the order of a list goes by: the title, then the id. */
type Mark = readonly [title: string, id: string]

const markOf = ({ title, id }: VaultItem): Mark => [title.toLowerCase(), id]

const compare = ([title, id]: Mark, [otherTitle, otherId]: Mark): number =>
  title === otherTitle ? (id < otherId ? -1 : id > otherId ? 1 : 0) : title < otherTitle ? -1 : 1

function pageOf(items: readonly VaultItem[], { limit, text }: VaultListQuery, after: Mark | undefined): VaultItems {
  const wanted = text?.toLowerCase()
  const found = items
    .filter((item) => after === undefined || compare(markOf(item), after) > 0)
    .filter(({ title, group = '', id }) => wanted === undefined || [title, group, id].some((each) => each.toLowerCase().includes(wanted)))
    .sort((left, right) => compare(markOf(left), markOf(right)))
  const page = found.slice(0, limit)
  const last = page.at(-1)
  return {
    items: page,
    ...(found.length > limit && last !== undefined ? { nextCursor: Buffer.from(JSON.stringify(markOf(last))).toString('base64url') } : {}),
  }
}

function readCursor(cursor: string): Mark | 'none of ours' {
  try {
    const mark: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'))
    if (Array.isArray(mark) && mark.length === 2 && mark.every((part) => typeof part === 'string')) return mark as unknown as Mark
  } catch {
    // It is not JSON, so this connector has not written it.
  }
  return 'none of ours'
}
