import type { Logger } from '@agent-service/sdk'
import type { Clock } from '@agent-service/sdk/services/clock'
import type { ExternalIdentity } from '@agent-service/sdk/services/external-sign-in'
import type { ClientAuth, Configuration, CustomFetch } from 'openid-client'
import { providerUnavailableError } from '../common/errors.js'
import { isLoopbackHost } from '../configuration/loopback-host.js'
import type { PendingSignIn } from '../sign-in/pending-sign-ins.js'
import { createBoundedFetch } from './bounded-fetch.js'
import { createDiscoveryDocument } from './discovery-document.js'
import { identityFrom } from './identity-from.js'
import { toSignInError } from './sign-in-error.js'

/** Somebody whom the provider has proven. */
export interface ProvenPerson {
  readonly identity: ExternalIdentity
  /** `auth_time`: when they signed on there, in milliseconds since 1970; absent where the provider does not say. */
  readonly signedOnAt?: number
}

/** The identity provider of the configuration. Nothing is asked of it before somebody signs in. */
export interface IdentityProvider {
  /** Where a browser goes to sign in; `anew`: also where the provider knows who is there already. @throws `sso_unavailable`. */
  authorizationUrl(
    state: string,
    pending: Pick<PendingSignIn, 'nonce' | 'codeVerifier'>,
    options: { readonly anew: boolean },
  ): Promise<string>
  /**
   * Who somebody is who came back, with the parameters that came along: everything that OpenID Connect Core 3.1.3.7 and RFC 9207 ask for is checked,
   * the signature of the ID token too. @throws `sso_denied`, `sso_response_invalid`, `sso_unavailable`.
   */
  identityOf(parameters: URLSearchParams, state: string, pending: PendingSignIn): Promise<ProvenPerson>
}

/** What it is made of. */
export interface IdentityProviderOptions {
  readonly authority: string
  readonly clientId: string
  /** Without one the client is public: PKCE alone. */
  readonly clientSecret: string | undefined
  readonly scopes: string
  /** Where the provider sends people back. Asked for at each use. */
  readonly callbackUrl: () => string
  readonly clock: Clock
  readonly log: Logger
  /** Ends everything that is under way. */
  readonly signal: AbortSignal
  /** How long one answer of the provider may take. Default 10. */
  readonly timeoutSeconds?: number
}

/** OpenID Connect Core 3.1.2.1: the person is asked again, and the ID token has to say when (`auth_time`). */
const forcedLogin = { prompt: 'login', max_age: '0' } as const

/** Makes it. */
export function createIdentityProvider(options: IdentityProviderOptions): IdentityProvider {
  const { clientId, clientSecret, callbackUrl, clock, log, signal } = options
  const authority = new URL(options.authority)
  // The configuration allows this on the machine itself alone.
  const isPlain = authority.protocol === 'http:'
  const isAllowed = ({ protocol, hostname }: URL): boolean => protocol === 'https:' || (isPlain && isLoopbackHost(hostname))
  const fetch = createBoundedFetch({ isAllowed, signal })
  const document = createDiscoveryDocument({ fetch, clock, signal })
  const scope = [...new Set(['openid', ...options.scopes.split(/\s+/).filter((word) => word !== '')])].join(' ')

  const unavailable = (error: unknown): Error => {
    const reason = error instanceof Error ? error.message : 'unknown'
    log.warn('The identity provider cannot be asked who somebody is; people cannot sign in through it.', { reason })
    return providerUnavailableError.create({}, { cause: error, retryAfterSeconds: 5 })
  }

  /** A client that has read nothing of the provider but its document: keys are fetched for each sign-in, so that new ones count at once. */
  const openClient = async (): Promise<{ readonly client: typeof import('openid-client'); readonly configuration: Configuration }> => {
    const client = await import('openid-client')
    const readDocument: CustomFetch = async (url, request) =>
      new Response(await document.read(url, request as RequestInit), { headers: { 'content-type': 'application/json' } })
    try {
      const configuration = await client.discovery(authority, clientId, {}, authenticationOf(client, clientSecret), {
        [client.customFetch]: readDocument,
        timeout: options.timeoutSeconds ?? 10,
        execute: [client.enableNonRepudiationChecks, ...(isPlain ? [client.allowInsecureRequests] : [])],
      })
      configuration[client.customFetch] = (url, request) => fetch(url, request as RequestInit)
      return { client, configuration }
    } catch (error) {
      document.forget()
      signal.throwIfAborted()
      throw unavailable(error)
    }
  }

  return {
    async authorizationUrl(state, { nonce, codeVerifier }, { anew }) {
      const { client, configuration } = await openClient()
      const challenge = { code_challenge: await client.calculatePKCECodeChallenge(codeVerifier), code_challenge_method: 'S256' }
      try {
        const url = client.buildAuthorizationUrl(configuration, {
          ...{ redirect_uri: callbackUrl(), scope, state, nonce, ...challenge },
          ...(anew ? forcedLogin : {}),
        })
        if (!isAllowed(url)) throw new TypeError('The address to sign in at is not https.')
        return url.href
      } catch (error) {
        document.forget()
        throw unavailable(error)
      }
    },
    async identityOf(parameters, state, { nonce, codeVerifier }) {
      const { client, configuration } = await openClient()
      const url = new URL(callbackUrl())
      url.search = parameters.toString()
      try {
        const tokens = await client.authorizationCodeGrant(configuration, url, {
          ...{ expectedState: state, expectedNonce: nonce, pkceCodeVerifier: codeVerifier, idTokenExpected: true },
        })
        const claims = tokens.claims()
        if (!claims) throw new TypeError('The identity provider gave no ID token.')
        const isAsked = claims['email'] === undefined && configuration.serverMetadata().userinfo_endpoint !== undefined
        const userInfo = isAsked ? await client.fetchUserInfo(configuration, tokens.access_token, claims.sub) : {}
        const { auth_time: signedOnAt } = claims
        return { identity: identityFrom(claims, userInfo), ...(signedOnAt === undefined ? {} : { signedOnAt: signedOnAt * 1000 }) }
      } catch (error) {
        signal.throwIfAborted()
        const { problem, reason } = toSignInError(error, client)
        log.warn('A sign-in through the identity provider was not completed.', { reason })
        throw problem
      }
    },
  }
}

/** By the method that the provider takes; `client_secret_basic` where it does not say, as OpenID Connect Discovery has it. */
function authenticationOf(client: typeof import('openid-client'), secret: string | undefined): ClientAuth {
  if (secret === undefined || secret === '') return client.None()
  return (server, ...rest) => {
    const methods = server.token_endpoint_auth_methods_supported ?? ['client_secret_basic']
    const authenticate = methods.includes('client_secret_basic') ? client.ClientSecretBasic(secret) : client.ClientSecretPost(secret)
    return authenticate(server, ...rest)
  }
}
