import { parseJson } from '@agent-service/sdk/provider-kit'
import type { Clock } from '@agent-service/sdk/services/clock'
import type { Database, Page } from '@agent-service/sdk/services/database'
import type { SealedFields, Secrets } from '@agent-service/sdk/services/secrets'
import { v7 as uuid } from 'uuid'
import { type CredentialPayload, credentialCollection, hintOf, type StoredCredential } from './credential.js'

/** A credential and what it holds. */
export interface OpenCredential {
  readonly record: StoredCredential
  readonly payload: CredentialPayload
}

/** Where managed credentials are kept: what they hold is encrypted, and masked in every log once it was read. */
export interface CredentialStore {
  /** From old to new. */
  list(page: { readonly limit: number; readonly cursor?: string }): Promise<Page<StoredCredential>>
  find(id: string): Promise<StoredCredential | undefined>
  /** With what it holds. @throws `secret_unreadable`. */
  open(id: string): Promise<OpenCredential | undefined>
  create(credential: { readonly brand: string; readonly label: string; readonly payload: CredentialPayload }): Promise<StoredCredential>
  /** Changes what is no secret. `undefined` when it is gone. */
  change(id: string, members: Partial<Pick<StoredCredential, 'label' | 'checked_at' | 'check_ok'>>): Promise<StoredCredential | undefined>
  /** Replaces what it holds, of that generation or, without one, of any. `undefined` when it is gone or another was quicker. */
  replace(id: string, payload: CredentialPayload, generation?: number): Promise<StoredCredential | undefined>
  /** Notes that the vendor takes the tokens of that generation no longer. False when others have taken their place. */
  needSignIn(id: string, generation: number): Promise<boolean>
  /** False when there was none. */
  delete(id: string): Promise<boolean>
}

/** Makes it. */
export function createCredentialStore(dependencies: {
  readonly database: Database
  readonly sealedFields: SealedFields
  readonly secrets: Pick<Secrets, 'protect'>
  readonly clock: Pick<Clock, 'now'>
}): CredentialStore {
  const { database, sealedFields, secrets, clock } = dependencies
  const stored = () => database.collection(credentialCollection)
  const placeOf = (id: string) => ({ collection: credentialCollection, id, field: 'payload' })

  const seal = (id: string, payload: CredentialPayload): Promise<string> => {
    protect(payload, secrets)
    return sealedFields.seal(JSON.stringify(payload), placeOf(id))
  }
  const update = (id: string, change: (record: StoredCredential) => StoredCredential | undefined): Promise<StoredCredential | undefined> =>
    database.transaction(async (transaction) => {
      const record = await transaction.get(credentialCollection, id)
      const changed = record && change(record)
      if (changed) transaction.put(credentialCollection, changed)
      return changed
    })

  return {
    list: (page) => stored().query({ index: 'by_time', ...page }),
    find: (id) => stored().get(id.toLowerCase()),
    async open(id) {
      const record = await stored().get(id.toLowerCase())
      if (!record) return undefined
      // What stands there was written by this module alone, and nobody can change a sealed text.
      const payload = parseJson(await sealedFields.open(record.payload, placeOf(record.id))) as unknown as CredentialPayload
      protect(payload, secrets)
      return { record, payload }
    },
    async create({ brand, label, payload }) {
      const id = uuid()
      const record: StoredCredential = {
        ...{ id, brand, label, generation: 1, state: 'ready', checked_at: null, check_ok: null },
        ...membersOf(payload),
        created_at: new Date(clock.now()).toISOString(),
        payload: await seal(id, payload),
      }
      await stored().insert(record)
      return record
    },
    change: (id, members) => update(id.toLowerCase(), (record) => ({ ...record, ...members })),
    async replace(id, payload, generation) {
      const sealed = await seal(id, payload)
      return update(id, (record) =>
        generation !== undefined && record.generation !== generation
          ? undefined
          : { ...record, ...membersOf(payload), state: 'ready', generation: record.generation + 1, payload: sealed },
      )
    },
    needSignIn: async (id, generation) =>
      (await update(id, (record) => (record.generation === generation ? { ...record, state: 'sign_in_needed' } : undefined))) !== undefined,
    delete: (id) => stored().delete(id.toLowerCase()),
  }
}

function membersOf(payload: CredentialPayload): Pick<StoredCredential, 'kind' | 'hint' | 'expires_at'> {
  if (payload.kind === 'api_key') return { kind: 'api_key', hint: hintOf(payload.api_key), expires_at: null }
  const expiresAt = payload.expires_at
  return {
    kind: 'account',
    hint: hintOf(payload.account_id ?? payload.access_token),
    expires_at: expiresAt === undefined ? null : new Date(expiresAt).toISOString(),
  }
}

function protect(payload: CredentialPayload, secrets: Pick<Secrets, 'protect'>): void {
  const values = payload.kind === 'api_key' ? [payload.api_key] : [payload.access_token, payload.refresh_token]
  for (const value of values) if (value !== undefined) secrets.protect(value)
}
