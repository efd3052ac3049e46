import { whenConfirmed } from '@agent-service/sdk/web'
import { membersOf, pathOf, saveConfiguration } from '@agent-service/sdk/web/configuration'
import { api } from '../../../api/index.js'
import { type Draft, entryMembers, entryOf, isReference, otherEndpoint } from '../../../providers/draft.js'
import { t } from '../../../providers/texts.js'

/** A key that is stored and not yet used by a connection. */
interface StoredKey {
  readonly id: string
  readonly key: string
  readonly brand: string
}

/**
 * Stores the key, then the entry of the file, for the next start. Repeating it after the second
 * half failed stores no second key. False if the person did not confirm who they are.
 */
export async function saveConnection(given: {
  readonly draft: Draft
  readonly isNew: boolean
  readonly credentialId: string | undefined
  /** The credential of an account that was signed in for it; a typed key comes first. */
  readonly account: string | undefined
  readonly stored: StoredKey | undefined
  readonly onStored: (stored: StoredKey) => void
}): Promise<boolean> {
  const { draft, isNew } = given
  const entry = entryOf(draft)
  const key = draft.key.trim()
  const members: Record<string, string> = { ...entry }
  const reset: string[] = entryMembers.filter((name) => entry[name] === undefined)
  if (key !== '' && isReference(key)) {
    members['api_key'] = key
    reset.push('credential_id')
  } else if (key !== '') {
    const id = await storeKey(given, entry['provider'] ?? draft.handle, key)
    if (id === undefined) return false
    members['credential_id'] = id
    reset.push('api_key')
  }
  if (key === '' && given.account !== undefined) {
    members['credential_id'] = given.account
    reset.push('api_key')
  }
  const at = (name: string): string => pathOf('providers', draft.handle, name)
  return saveConfiguration(
    {
      set: Object.fromEntries(Object.entries(members).map(([name, value]) => [at(name), value])),
      reset: isNew ? [] : reset.map(at),
    },
    ({ saved }) => !isNew || membersOf(saved['providers'])[draft.handle] === undefined,
  )
}

/**
 * The id of the credential with the key: the one that the connection has, or a new one. `undefined`
 * if the person did not confirm who they are.
 */
async function storeKey(
  { draft, credentialId, stored, onStored }: Parameters<typeof saveConnection>[0],
  brand: string,
  key: string,
): Promise<string | undefined> {
  const id = credentialId ?? (stored?.brand === brand ? stored.id : undefined)
  if (stored !== undefined && stored.id === id && stored.key === key) return stored.id
  if (id !== undefined) {
    const path = { credential_id: id }
    const replace = () => api.patch('/api/admin/credentials/{credential_id}', { path, body: { api_key: key } })
    if (!(await whenConfirmed(t('confirm_reason'), replace))) return undefined
    onStored({ id, key, brand })
    return id
  }
  const label = draft.brand === otherEndpoint ? draft.handle : `${draft.brand} (${draft.handle})`
  const made = await api.post('/api/admin/credentials', { body: { brand, label, api_key: key } })
  onStored({ id: made.id, key, brand })
  return made.id
}
