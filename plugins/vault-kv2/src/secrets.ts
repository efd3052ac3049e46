import {
  type VaultField,
  type VaultItem,
  vaultConflictError,
  vaultContentInvalidError,
  vaultItemNotFoundError,
  vaultUnavailableError,
} from '@agent-service/sdk/contracts/vault-connector'
import { type Api, type ApiAnswer, isRecord, vault } from './api.js'
import { encodePath, type Server } from './members.js'

/** What the calls about one secret need. */
export interface SecretCall {
  readonly api: Api
  readonly server: Server
  readonly signal: AbortSignal
  /** Why the server answered 403. */
  refused(what: string): Promise<Error>
}

/** The present version of a secret. */
export interface Secret {
  readonly item: VaultItem
  readonly version: number
  /** As the server has them. */
  readonly values: Readonly<Record<string, unknown>>
}

const maxTitleLength = 300
const maxNameLength = 200

/** An item for an id: the title is its last segment, the group what stands before. */
export function itemOf(id: string): VaultItem {
  const end = id.lastIndexOf('/')
  const title = shortened(id.slice(end + 1))
  return { id, title: title.trim() === '' ? '(blank)' : title, ...(end < 0 ? {} : { group: shortened(id.slice(0, end)) }) }
}

const shortened = (text: string): string => {
  const line = withoutControls(text)
  return line.length <= maxTitleLength ? line : `${withoutControls(line.slice(0, maxTitleLength - 1))}…`
}

/** A text of one line: control characters, line breaks and halves of characters are spaces. */
export const withoutControls = (text: string): string => text.replace(/[\p{Cc}\p{Cs}\p{Zl}\p{Zp}]/gu, ' ')

/** Reads a secret. @throws `vault_item_not_found`. */
export async function readSecret(id: string, call: SecretCall): Promise<Secret> {
  const { api, signal, refused } = call
  const answer = await api({ path: dataPath(id, call) }, signal)
  const { status, body } = answer
  const data = isRecord(body['data']) ? body['data'] : {}
  const metadata = isRecord(data['metadata']) ? data['metadata'] : {}
  if (status === 404) throw vaultItemNotFoundError.create({ id, deleted: isDeleted(metadata) })
  if (status === 403) throw await refused(`read the secret “${id}”`)
  const version = metadata['version']
  if (status >= 400 || !isRecord(data['data']) || typeof version !== 'number') throw unexpected(answer, 'secret')
  return { item: describedBy(id, metadata), version, values: data['data'] }
}

/** The fields of a secret. Values that are not texts become JSON. Everything in a KV store is a secret. */
export function fieldsOf({ values }: Secret): readonly VaultField[] {
  return Object.entries(values).map(([name, value]) => {
    if (name === '' || name.length > maxNameLength)
      throw vaultContentInvalidError.create({ vault, reason: `the name of a field has to have 1 to ${maxNameLength} characters` })
    return { name, value: textOf(value), secret: true }
  })
}

/** Writes all fields over one version; 0 is a secret that never was. @throws `vault_conflict`. */
export async function writeSecret(
  id: string,
  { fields, over }: { readonly fields: readonly VaultField[]; readonly over: Pick<Secret, 'version' | 'values'> },
  call: SecretCall,
): Promise<VaultItem> {
  const { api, signal, refused } = call
  const data = Object.fromEntries(fields.map(({ name, value }) => [name, keptValue(name, value, over.values)]))
  const body = { options: { cas: over.version }, data }
  const answer = await api({ path: dataPath(id, call), method: 'POST', body }, signal)
  if (answer.status === 403) throw await refused(`write the secret “${id}”`)
  if (answer.status === 400 && answer.errors.some((error) => error.includes('check-and-set')))
    throw vaultConflictError.create({ what: `The secret “${id}”` })
  const metadata = answer.body['data']
  if (answer.status >= 400 || !isRecord(metadata) || typeof metadata['version'] !== 'number') throw unexpected(answer, 'write')
  return describedBy(id, metadata)
}

function dataPath(id: string, { server }: SecretCall): string {
  const path = id.length <= 1_000 ? encodePath(id) : undefined
  if (path === undefined) throw vaultItemNotFoundError.create({ id, deleted: false })
  return `${server.mount}/data/${path}`
}

/** A deleted version answers 404 with its metadata; one that was destroyed cannot be restored. */
const isDeleted = ({ deletion_time: time, destroyed }: Readonly<Record<string, unknown>>): boolean =>
  typeof time === 'string' && time !== '' && destroyed !== true

function describedBy(id: string, { version, created_time: created }: Readonly<Record<string, unknown>>): VaultItem {
  const changedAt = typeof created === 'string' ? Date.parse(created) : Number.NaN
  return { ...itemOf(id), revision: String(version), ...(Number.isSafeInteger(changedAt) && changedAt > 0 ? { changedAt } : {}) }
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value))

/** A value that is not a text stays what it is when its text was not changed. */
function keptValue(name: string, value: string, present: Readonly<Record<string, unknown>>): unknown {
  const before = Object.hasOwn(present, name) ? present[name] : undefined
  return before !== undefined && typeof before !== 'string' && textOf(before) === value ? before : value
}

function unexpected({ status, errors }: ApiAnswer, what: string): Error {
  if (errors.some((error) => error.startsWith('Upgrading from non-versioned')))
    return vaultUnavailableError.create({ vault, reason: 'its secrets engine is being upgraded' })
  return vaultContentInvalidError.create({ vault, reason: `its answer to the ${what} is not one of KV version 2 (status ${status})` })
}
