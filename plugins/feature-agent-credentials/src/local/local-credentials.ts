import { notFoundError, pageOfIndex } from '@agent-service/sdk/contracts/http-route'
import type { Clock } from '@agent-service/sdk/services/clock'
import type { Database } from '@agent-service/sdk/services/database'
import type { PluginEvents } from '@agent-service/sdk/services/events'
import type { SealedFields } from '@agent-service/sdk/services/secrets'
import { v7 as uuidv7 } from 'uuid'
import { nameTakenError } from '../common/errors.js'
import { textOf } from '../common/time.js'
import type { Masking } from '../masking/masking.js'
import { type CredentialField, credentialCollection, type LocalCredential } from '../store/credential.js'
import { count } from '../store/totals.js'
import { checkFields, type NewField } from './check-credential.js'

/** What of a credential changes without its values. */
export interface CredentialChange {
  readonly title?: string
  /** Where new grants bind fields; those that are left out stay. */
  readonly bindings?: readonly { readonly field: string; readonly variable: string | null; readonly as?: 'value' | 'file' }[]
}

/**
 * The credentials that people keep in the service. Values are sealed, bound to their document, and
 * never returned to a person, except those of fields that are no secrets.
 */
export interface LocalCredentials {
  /** @throws `invalid_request`, `credential_name_taken`, `quota_exceeded`. */
  create(
    userId: string,
    credential: { readonly name: string; readonly title: string; readonly fields: readonly NewField[] },
  ): Promise<LocalCredential>
  list(
    userId: string,
    page: { readonly limit?: number; readonly cursor?: string },
  ): Promise<{ readonly items: readonly LocalCredential[]; readonly next_cursor: string | null }>
  /** `undefined` if the user has none of this id. */
  find(userId: string, id: string): Promise<LocalCredential | undefined>
  /** The user's credential of this name. */
  findByName(userId: string, name: string): Promise<LocalCredential | undefined>
  /** @throws `not_found`, `invalid_request`. */
  change(userId: string, id: string, change: CredentialChange): Promise<LocalCredential>
  /** Replaces all fields and values; grants go on with the fields that they name. @throws `not_found`, `invalid_request`. */
  replace(userId: string, id: string, fields: readonly NewField[]): Promise<LocalCredential>
  /** Deletes it; grants end by themselves. False if there was none. */
  delete(userId: string, id: string): Promise<boolean>
  /** Its values by field. Masked in logs as soon as an agent gets them, not before. @throws `secret_unreadable`. */
  open(credential: LocalCredential): Promise<ReadonlyMap<string, string>>
}

export interface LocalCredentialsDependencies {
  readonly database: Database
  readonly clock: Pick<Clock, 'now'>
  readonly sealedFields: SealedFields
  readonly events: Pick<PluginEvents, 'record'>
  /** Refuses secrets that could not be kept out of what an agent prints. */
  readonly masking: Pick<Masking, 'check'>
}

export function createLocalCredentials(dependencies: LocalCredentialsDependencies): LocalCredentials {
  const { database, clock, sealedFields, events } = dependencies
  const find = async (userId: string, id: string): Promise<LocalCredential | undefined> => {
    const credential = await database.collection(credentialCollection).get(id)
    return credential?.user_id === userId ? credential : undefined
  }
  const update = (userId: string, id: string, changed: (before: LocalCredential) => LocalCredential): Promise<LocalCredential> =>
    database.transaction(async (transaction) => {
      const before = await transaction.get(credentialCollection, id)
      if (before?.user_id !== userId) throw notFoundError.create({ what: 'credential' })
      const after = { ...changed(before), changed_at: textOf(clock.now()) }
      transaction.put(credentialCollection, after)
      events.record(transaction, { userId, name: 'credential.updated', data: { change: 'changed', credential_id: id } })
      return after
    })
  return {
    async create(userId, { name, title, fields }) {
      checkFields(fields)
      const id = uuidv7({ msecs: clock.now() })
      const now = textOf(clock.now())
      const times = { created_at: now, changed_at: now, values_changed_at: now }
      const values = await sealValues(dependencies, { id, name }, fields)
      const credential: LocalCredential = { id, user_id: userId, name, title, fields: fields.map(withoutValue), ...times, values }
      return database.transaction(async (transaction) => {
        const taken = await transaction.find(credentialCollection, 'by_name', [userId, name])
        if (taken) throw nameTakenError.create({ what: 'a credential', name })
        await count(transaction, userId, 'credentials', 1)
        transaction.insert(credentialCollection, credential)
        events.record(transaction, { userId, name: 'credential.updated', data: { change: 'created', credential_id: id } })
        return credential
      })
    },
    list: (userId, page) => pageOfIndex(database.collection(credentialCollection), { index: 'by_user', equals: [userId] }, page),
    find,
    findByName: (userId, name) => database.collection(credentialCollection).find('by_name', [userId, name]),
    change: (userId, id, { title, bindings = [] }) =>
      update(userId, id, (before) => {
        const fields = before.fields.map((field): CredentialField => {
          const binding = bindings.find((each) => each.field === field.name)
          return binding ? { ...field, variable: binding.variable, as: binding.as ?? field.as } : field
        })
        checkFields(fields.map((field) => ({ ...field, value: '' })))
        return { ...before, title: title ?? before.title, fields }
      }),
    async replace(userId, id, fields) {
      const { name } = (await find(userId, id)) ?? notFound()
      checkFields(fields)
      const values = await sealValues(dependencies, { id, name }, fields)
      const at = textOf(clock.now())
      return update(userId, id, (before) => ({ ...before, fields: fields.map(withoutValue), values, values_changed_at: at }))
    },
    delete: (userId, id) =>
      database.transaction(async (transaction) => {
        const credential = await transaction.get(credentialCollection, id)
        if (credential?.user_id !== userId) return false
        transaction.delete(credentialCollection, id)
        await count(transaction, userId, 'credentials', -1)
        events.record(transaction, { userId, name: 'credential.updated', data: { change: 'deleted', credential_id: id } })
        return true
      }),
    open: async ({ id, values }) =>
      new Map(Object.entries(JSON.parse(await sealedFields.open(values, placeOf(id))) as Readonly<Record<string, string>>)),
  }
}

const placeOf = (id: string) => ({ collection: credentialCollection, id, field: 'values' })

const withoutValue = ({ name, secret, variable, as }: NewField): CredentialField => ({ name, secret, variable, as })

function sealValues(
  { sealedFields, masking }: Pick<LocalCredentialsDependencies, 'sealedFields' | 'masking'>,
  { id, name }: { readonly id: string; readonly name: string },
  fields: readonly NewField[],
): Promise<string> {
  for (const { value, secret } of fields) if (secret) masking.check({ credential: name, value })
  return sealedFields.seal(JSON.stringify(Object.fromEntries(fields.map(({ name, value }) => [name, value]))), placeOf(id))
}

const notFound = (): never => {
  throw notFoundError.create({ what: 'credential' })
}
