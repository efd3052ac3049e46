import type { ConfigurationRule, JsonObject } from '@agent-service/sdk'

/** The required and optional fields of a connection to a vault. */
interface VaultFields {
  readonly name: string
  readonly needed: readonly string[]
  readonly optional: readonly string[]
}

const vaults: readonly VaultFields[] = [
  { name: '1Password', needed: ['vaultone_service_account_token'], optional: ['vaultone_vault_id'] },
  {
    name: 'Bitwarden',
    needed: ['vaulttwo_client_id', 'vaulttwo_client_secret', 'vaulttwo_master_password'],
    optional: ['vaulttwo_server_url'],
  },
  { name: 'HashiCorp Vault or OpenBao', needed: ['vaultthree_address', 'vaultthree_token'], optional: [] },
  { name: 'KeePass', needed: ['vaultfour_path', 'vaultfour_password'], optional: [] },
]

/** An incomplete vault gets no connection, and is most likely a mistake. */
const warnOfPartialVaults: ConfigurationRule = (configuration) => {
  const section = configuration['vault'] as JsonObject
  const isSet = (name: string): boolean => section[name] !== undefined
  return vaults.flatMap(({ name, needed, optional }) => {
    const missing = needed.filter((field) => !isSet(field))
    const first = [...needed, ...optional].find(isSet)
    if (first === undefined || missing.length === 0) return []
    return [{ path: `vault.${first}`, severity: 'warning', message: `${name} is not connected: ${missing.join(' and ')} not set` } as const]
  })
}

export const rules: readonly ConfigurationRule[] = [warnOfPartialVaults]
