import { Type } from '@agent-service/sdk'

const secret = (description: string) => Type.Optional(Type.String({ description, 'x-secret': true }))
const text = (description: string) => Type.Optional(Type.String({ description }))

/** Section `vault`. */
export const vaultSection = Type.Object(
  {
    vaultone_service_account_token: secret('Service account token of 1Password.'),
    vaultone_vault_id: text('Default vault id of 1Password.'),
    vaulttwo_client_id: secret('Client id of the personal API key of Bitwarden.'),
    vaulttwo_client_secret: secret('Client secret of the personal API key of Bitwarden.'),
    vaulttwo_master_password: secret('Master password of Bitwarden.'),
    vaulttwo_server_url: Type.Optional(Type.String({ description: 'Address of a self-hosted Bitwarden server.', format: 'http-url' })),
    vaultthree_address: Type.Optional(
      Type.String({
        description: 'Address of HashiCorp Vault or OpenBao.',
        format: 'http-url',
        examples: ['https://vault.example.org:8200'],
      }),
    ),
    vaultthree_token: secret('Token of HashiCorp Vault or OpenBao.'),
    vaultthree_mount: Type.String({
      description: 'Mount path of the KV2 store of HashiCorp Vault or OpenBao.',
      default: 'secret',
      minLength: 1,
    }),
    vaultfour_path: Type.Optional(Type.String({ description: 'Path of the KeePass database file (KDBX).', 'x-path': true })),
    vaultfour_password: secret('Master password of the KeePass database.'),
  },
  {
    title: 'Vaults',
    description: 'External vaults. Each vault whose fields are all set is connected, and synchronised at the start.',
  },
)
