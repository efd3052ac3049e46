import { type Static, Type } from '@agent-service/sdk'

/** Section `sso`. */
export const ssoSection = Type.Object(
  {
    enabled: Type.Boolean({ description: 'Whether people can sign in through the identity provider.', default: false }),
    authority: Type.Optional(
      Type.String({
        description: 'Address of the identity provider, as its issuer says it. It must be https, save on this machine.',
        format: 'http-url',
        examples: ['https://login.example.org/realms/house'],
      }),
    ),
    client_id: Type.Optional(Type.String({ description: 'Client id that the identity provider gave to this service.', minLength: 1 })),
    client_secret: Type.Optional(
      Type.String({
        description: 'Client secret that the identity provider gave to this service. Clients without one use PKCE alone.',
        'x-secret': true,
      }),
    ),
    scopes: Type.String({ description: 'Scopes that are requested, separated by spaces.', default: 'openid email', minLength: 1 }),
    disable_local_auth: Type.Boolean({
      description: 'Whether signing in with a password is off, so that the identity provider is the only way in.',
      default: false,
    }),
    signups_match_email: Type.Boolean({
      description: 'Whether someone who signs in for the first time gets the existing account with the same e-mail address.',
      default: true,
    }),
    allow_unknown_email_verification: Type.Boolean({
      description: 'Whether e-mail addresses are accepted that the identity provider has not verified.',
      default: true,
    }),
    client_cache_expiration: Type.Integer({
      description: 'Accepted, without effect on the caching of client metadata.',
      default: 0,
      minimum: 0,
      'x-no-effect': 'The metadata of the client is not cached by it.',
    }),
  },
  { title: 'Single sign-on', description: 'Signing in with OpenID Connect, in place of or beside passwords.' },
)

export type SsoSection = Static<typeof ssoSection>
