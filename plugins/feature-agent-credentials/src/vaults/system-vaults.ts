import type { JsonObject } from '@agent-service/sdk'

/** The section `vault`, as its schema has it. */
export type VaultSection = Readonly<Record<string, string | undefined>>

/** A connection of the deployment, from the section. */
export interface SystemVault {
  /** Never changes: its state and who may use it are stored under it. */
  readonly id: string
  readonly connector: string
  readonly title: string
  /** The members of the connector, with the secrets. */
  readonly members: JsonObject
}

/** How the fields of the section become the members of a connector. */
export interface SystemVaultFields {
  readonly connector: string
  readonly title: string
  /** Fields of the section by members; all of them make a connection. */
  readonly needed: Readonly<Record<string, string>>
  readonly optional: Readonly<Record<string, string>>
}

export const systemVaultFields: readonly SystemVaultFields[] = [
  {
    connector: 'onepassword',
    title: '1Password',
    needed: { service_account_token: 'vaultone_service_account_token' },
    optional: { vault_id: 'vaultone_vault_id' },
  },
  {
    connector: 'bitwarden',
    title: 'Bitwarden',
    needed: {
      client_id: 'vaulttwo_client_id',
      client_secret: 'vaulttwo_client_secret',
      master_password: 'vaulttwo_master_password',
    },
    optional: { server_url: 'vaulttwo_server_url' },
  },
  {
    connector: 'kv2',
    title: 'HashiCorp Vault or OpenBao',
    needed: { address: 'vaultthree_address', token: 'vaultthree_token' },
    optional: { mount: 'vaultthree_mount' },
  },
  {
    connector: 'keepass',
    title: 'KeePass',
    needed: { path: 'vaultfour_path', password: 'vaultfour_password' },
    optional: {},
  },
]

/** The connections whose needed fields are all set. */
export function systemVaultsOf(section: VaultSection): readonly SystemVault[] {
  return systemVaultFields
    .filter(({ needed }) => Object.values(needed).every((field) => section[field] !== undefined))
    .map(({ connector, title, needed, optional }) => {
      const members = Object.entries({ ...needed, ...optional }).flatMap(([member, field]) => {
        const value = section[field]
        return value === undefined ? [] : [[member, value] as const]
      })
      return { id: `system-${connector}`, connector, title, members: Object.fromEntries(members) }
    })
}
