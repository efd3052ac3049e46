import type { JsonObject } from '@agent-service/sdk'
import {
  type VaultConnection,
  type VaultConnector,
  vaultConnectionInvalidError,
  vaultUnavailableError,
} from '@agent-service/sdk/contracts/vault-connector'
import type { Accounts } from '@agent-service/sdk/services/accounts'
import type { PolicyService } from '@agent-service/sdk/services/policy'
import type { SealedFields, Secrets } from '@agent-service/sdk/services/secrets'
import type { UserFiles } from '@agent-service/sdk/services/user-files'
import { type Vault, vaultCollection } from '../store/vault.js'
import type { OpenConnection } from './connector-calls.js'
import type { SystemVault } from './system-vaults.js'
import { machineFile, userFile, userFilePath } from './vault-file.js'

/** Makes of what is stored what connectors get. */
export interface Connections {
  /** @throws `vault_unavailable`, `vault_connection_invalid`, `secret_unreadable`. */
  open(vault: Vault, connector: VaultConnector): Promise<OpenConnection>
  /** Of members that are not stored yet. */
  sealSecrets(vaultId: string, secrets: JsonObject): Promise<string>
}

export interface ConnectionsDependencies {
  readonly system: readonly SystemVault[]
  readonly accounts: Pick<Accounts, 'get'>
  readonly files: Pick<UserFiles, 'folder'>
  readonly policies: Pick<PolicyService, 'isAuthorized'>
  readonly sealedFields: SealedFields
  readonly secrets: Pick<Secrets, 'protect'>
}

const placeOf = (id: string) => ({ collection: vaultCollection, id, field: 'secrets' })

export function createConnections(dependencies: ConnectionsDependencies): Connections {
  const { sealedFields, secrets } = dependencies
  return {
    async open(vault, connector) {
      const members = await membersOf(dependencies, vault, connector)
      const hidden = secretNames(connector).flatMap((name) => (typeof members[name] === 'string' ? [members[name]] : []))
      for (const value of hidden) secrets.protect(value)
      const origin = vault.user_id === null ? 'system' : 'user'
      const file = await fileOf(dependencies, vault, connector, members)
      const connection: VaultConnection = { id: vault.id, origin, members, ...(file && { file }) }
      return { connection, hidden }
    },
    sealSecrets: (vaultId, given) => sealedFields.seal(JSON.stringify(given), placeOf(vaultId)),
  }
}

/** The members that are stored sealed. */
export const secretNames = ({ connection }: Pick<VaultConnector, 'connection'>): readonly string[] =>
  Object.entries(connection.properties).flatMap(([name, schema]) => ((schema as JsonObject)['x-secret'] === true ? [name] : []))

const openSecrets = async ({ sealedFields }: Pick<ConnectionsDependencies, 'sealedFields'>, { id, secrets }: Vault): Promise<JsonObject> =>
  secrets === null ? {} : (JSON.parse(await sealedFields.open(secrets, placeOf(id))) as JsonObject)

async function membersOf(dependencies: ConnectionsDependencies, vault: Vault, connector: VaultConnector): Promise<JsonObject> {
  if (vault.user_id !== null) return { ...vault.members, ...(await openSecrets(dependencies, vault)) }
  const configured = dependencies.system.find(({ id }) => id === vault.id)
  if (!configured) throw vaultUnavailableError.create({ vault: vault.title, reason: 'the configuration of the service no longer has it' })
  // What a connector does not know, such as an optional field of another version of it, is left out.
  return Object.fromEntries(Object.entries(configured.members).filter(([name]) => Object.hasOwn(connector.connection.properties, name)))
}

async function fileOf(dependencies: ConnectionsDependencies, vault: Vault, { file: member }: VaultConnector, members: JsonObject) {
  if (member === undefined) return undefined
  const path = members[member]
  if (typeof path !== 'string') throw vaultConnectionInvalidError.create({ member, reason: 'is missing' })
  if (vault.user_id === null) return machineFile(path, vault.title)
  const owner = await dependencies.accounts.get(vault.user_id)
  if (!owner) throw vaultUnavailableError.create({ vault: vault.title, reason: 'its owner has no active account' })
  return userFile({ ...dependencies, owner, path: userFilePath(path, member), title: vault.title })
}
