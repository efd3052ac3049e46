import { type Static, Type } from '@agent-service/sdk'
import { days, seconds } from './fields.js'

/**
 * The secret in effect while none is set: only for development on one machine, since everyone can
 * read it here.
 */
export const developmentEncryptionSecret = 'agent-service-development-encryption-secret'

/** Section `auth`: the encryption secret, lifetimes of tokens, registration. */
export const authSection = Type.Object(
  {
    encryption_secret: Type.String({
      default: developmentEncryptionSecret,
      minLength: 1,
      'x-secret': true,
      'x-default-text': 'a built-in development value',
      description:
        'Secret that encrypts every stored secret. Set it to a random value in production and back it up together with the database.',
    }),
    access_token_expiry_secs: seconds(900, 1, 'Lifetime of an access token.'),
    refresh_token_expiry_secs: seconds(604_800, 1, 'Lifetime of a refresh token. It slides with each use.'),
    presign_expiry_secs: seconds(86_400, 1, 'Maximum lifetime of a pre-signed URL.'),
    ephemeral_token_expiry_secs: seconds(
      300,
      1,
      'Lifetime of the tokens for processes that act for users. They are renewed while the process runs.',
    ),
    allow_registration: Type.Boolean({
      default: true,
      description: 'Whether anyone may sign up. With false, only admins create accounts.',
    }),
    signing_key_rotation_days: days(90, 'Age at which the key that signs access tokens is replaced.'),
    data_key_rotation_days: days(90, 'Age at which the key that encrypts stored secrets is replaced.'),
  },
  { title: 'Accounts', description: 'The encryption secret, lifetimes of tokens, registration.' },
)

export type AuthSection = Static<typeof authSection>
