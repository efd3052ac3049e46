import { type Static, Type } from '@agent-service/sdk'

/** Section `sso`. */
export const ssoSection = Type.Object(
  {
    enabled: Type.Boolean({ description: 'Whether people can sign in through the identity provider.', default: false }),
    authority: Type.Optional(
      Type.String({
        description: 'Address of the identity provider, exactly as its issuer. It must be https, except on this machine.',
        format: 'http-url',
        examples: ['https://login.example.org/realms/house'],
      }),
    ),
    client_id: Type.Optional(Type.String({ description: 'Client id of this service at the identity provider.', minLength: 1 })),
    client_secret: Type.Optional(
      Type.String({
        description: 'Client secret of this service at the identity provider. Clients without one use only PKCE.',
        'x-secret': true,
      }),
    ),
    token_endpoint_auth_method: Type.Union(
      [Type.Literal('auto'), Type.Literal('client_secret_basic'), Type.Literal('client_secret_post')],
      {
        description:
          'How the client secret is sent to the identity provider: in the header, in the form, or (auto) as it offers, with the other one if it refuses.',
        default: 'auto',
      },
    ),
    scopes: Type.String({ description: 'Scopes that are requested, separated by spaces.', default: 'openid email', minLength: 1 }),
    disable_local_auth: Type.Boolean({
      description: 'Whether sign-in with a password is disabled, so that the identity provider is the only way to sign in.',
      default: false,
    }),
    signups_match_email: Type.Boolean({
      description: 'Whether someone who signs in for the first time gets the existing account with the same e-mail address.',
      default: true,
    }),
    allow_unknown_email_verification: Type.Boolean({
      description: 'Whether e-mail addresses that the identity provider has not verified are accepted.',
      default: true,
    }),
    client_cache_expiration: Type.Integer({
      description: 'Accepted, without effect on the caching of client metadata.',
      default: 0,
      minimum: 0,
      'x-no-effect': 'It does not control the caching of client metadata.',
    }),
  },
  { title: 'Single sign-on', description: 'Sign-in with OpenID Connect, instead of passwords or in addition to them.' },
)

export type SsoSection = Static<typeof ssoSection>
