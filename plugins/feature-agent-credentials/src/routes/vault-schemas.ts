import { type JsonObject, namedObject, Type } from '@agent-service/sdk'
import type { VaultConnector } from '@agent-service/sdk/contracts/vault-connector'
import type { StoredItem, Vault } from '../store/vault.js'
import { absenceOf, type ConnectorCalls } from '../vaults/connector-calls.js'
import { nullable, titleSchema } from './credential-schemas.js'

const nullableText = (description: string) => nullable(Type.String({ description }))

/** A connector with the form of its connections. */
export const connectorSchema = namedObject('VaultConnector', {
  id: Type.String({ examples: ['keepass'] }),
  title: Type.String({ examples: ['KeePass'] }),
  connection: Type.Record(Type.String(), Type.Unknown(), {
    description: 'The JSON Schema of the members of a connection. Those with `x-secret` are never shown again.',
    examples: [{ type: 'object', properties: { password: { type: 'string', 'x-secret': true } } }],
  }),
  file: nullableText('The member that is the path of one of your files, such as `files/passwords.kdbx`.'),
})

const members = Type.Record(Type.String(), Type.Unknown(), {
  description: 'By the form of the connector. A change replaces all of them: enter the secrets again.',
  examples: [{ path: 'files/passwords.kdbx', password: '…' }],
})

export const newVaultSchema = namedObject('CreateVault', {
  connector: Type.String({ minLength: 1, maxLength: 64, examples: ['keepass'] }),
  title: titleSchema,
  members,
})
export const changeVaultSchema = namedObject('ChangeVault', { title: Type.Optional(titleSchema), members: Type.Optional(members) })

const vaultMembers = {
  id: Type.String(),
  connector: Type.String({ examples: ['keepass'] }),
  title: Type.String(),
  system: Type.Boolean({ description: 'From the configuration of the service: only its operator can change it.' }),
  members: Type.Record(Type.String(), Type.Unknown(), { description: 'Without the secrets; empty for one of the configuration.' }),
  state: Type.Union(
    ['new', 'ready', 'failed', 'unavailable'].map((state) => Type.Literal(state)),
    { description: '`new`: not synchronised yet. `unavailable`: no active plugin has its connector.' },
  ),
  reason: nullableText('Why it is unavailable, or failed last, for people.'),
  failure: Type.Union([namedObject('VaultFailure', { code: Type.String(), message: Type.String(), at: Type.String() }), Type.Null()]),
  account: nullableText('What the vault says about the account.'),
  expires_at: nullableText('When the credentials of the connection end.'),
  synced_at: nullableText('When its items were last listed.'),
  next_sync_at: Type.String({ description: 'When they are listed again, at the earliest.' }),
  items: Type.Integer({ minimum: 0, description: 'How many items are known.' }),
  items_complete: Type.Boolean({ description: 'False: the vault has more than are kept here.' }),
  created_at: Type.String(),
  changed_at: Type.String(),
}
export const vaultSchema = namedObject('Vault', vaultMembers)

export const accessSchema = namedObject('VaultAccess', {
  kind: Type.Union(['admins', 'everyone', 'users'].map((kind) => Type.Literal(kind))),
  user_ids: Type.Optional(
    Type.Array(Type.String({ minLength: 1, maxLength: 100 }), { maxItems: 200, uniqueItems: true, description: 'With `users`: who.' }),
  ),
})
export const systemVaultSchema = namedObject('SystemVault', { ...vaultMembers, access: accessSchema })

export const itemSchema = namedObject('VaultItem', {
  id: Type.String(),
  title: Type.String(),
  group: nullableText('The folder, collection or vault that it is in.'),
  fields: Type.Array(Type.String(), { description: 'Some names of its fields, if the list of the vault has them.' }),
  changed_at: nullableText('When it was last changed.'),
})

export const viewOfConnector = ({ id, title, connection, file }: VaultConnector) => ({
  ...{ id, title, file: file ?? null },
  connection: JSON.parse(JSON.stringify(connection)) as JsonObject,
})

export function viewOfVault(vault: Vault, calls: Pick<ConnectorCalls, 'find'>) {
  const isAbsent = calls.find(vault.connector) === undefined
  return {
    ...{ id: vault.id, connector: vault.connector, title: vault.title, system: vault.user_id === null, members: { ...vault.members } },
    state: isAbsent ? 'unavailable' : vault.state,
    reason: isAbsent ? `${absenceOf(vault.connector)}.` : (vault.failure?.message ?? null),
    failure: vault.failure && { ...vault.failure },
    ...{ account: vault.account, expires_at: vault.expires_at, synced_at: vault.synced_at, next_sync_at: vault.next_sync_at },
    ...{ items: vault.items, items_complete: vault.items_complete, created_at: vault.created_at, changed_at: vault.changed_at },
  }
}

export const viewOfSystemVault = (vault: Vault, calls: Pick<ConnectorCalls, 'find'>) => ({
  ...viewOfVault(vault, calls),
  access:
    vault.access?.kind === 'users' ? { kind: 'users', user_ids: [...vault.access.user_ids] } : { kind: vault.access?.kind ?? 'admins' },
})

export const viewOfItem = ({ id, title, group, fields, changed_at }: StoredItem) => ({ id, title, group, fields: [...fields], changed_at })
