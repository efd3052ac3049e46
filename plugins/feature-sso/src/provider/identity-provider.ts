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

/** A person whose identity the provider has proven. */
export interface ProvenPerson {
  readonly identity: ExternalIdentity
  /**
   * `auth_time`: when they signed on there, in milliseconds since 1970; absent if the provider does
   * not report it.
   */
  readonly signedOnAt?: number
}

/** The configured identity provider. It is not contacted before the first sign-in. */
export interface IdentityProvider {
  /**
   * The address for the browser to sign in at; `reauthenticate` requires a fresh sign-on at the
   * provider. @throws `sso_unavailable`.
   */
  authorizationUrl(
    state: string,
    pending: Pick<PendingSignIn, 'nonce' | 'codeVerifier'>,
    options: { readonly reauthenticate: boolean },
  ): Promise<string>
  /**
   * The identity of a person who was redirected back with these parameters. Makes all checks of
   * OpenID Connect Core 3.1.3.7 and RFC 9207, including the signature of the ID token.
   * @throws `sso_denied`, `sso_response_invalid`, `sso_unavailable`.
   */
  identityOf(parameters: URLSearchParams, state: string, pending: PendingSignIn): Promise<ProvenPerson>
}

/** What an identity provider depends on. */
export interface IdentityProviderOptions {
  readonly authority: string
  readonly clientId: string
  /** Without one the client is public and uses only PKCE. */
  readonly clientSecret: string | undefined
  readonly scopes: string
  /** The redirect address; called at each use. */
  readonly callbackUrl: () => string
  readonly clock: Clock
  readonly log: Logger
  /** Cancels everything in progress. */
  readonly signal: AbortSignal
  /** How long one response of the provider may take. Default: 10. */
  readonly timeoutSeconds?: number
}

/**
 * OpenID Connect Core 3.1.2.1: the person signs on again, and the ID token must contain
 * `auth_time`.
 */
const forcedLogin = { prompt: 'login', max_age: '0' } as const

export function createIdentityProvider(options: IdentityProviderOptions): IdentityProvider {
  const { clientId, clientSecret, callbackUrl, clock, log, signal } = options
  const authority = new URL(options.authority)
  // The configuration allows this only on this machine.
  const isPlain = authority.protocol === 'http:'
  const isAllowed = ({ protocol, hostname }: URL): boolean => protocol === 'https:' || (isPlain && isLoopbackHost(hostname))
  const fetch = createBoundedFetch({ isAllowed, signal })
  const document = createDiscoveryDocument({ fetch, clock, signal })
  const scope = [...new Set(['openid', ...options.scopes.split(/\s+/).filter((word) => word !== '')])].join(' ')

  const unavailable = (error: unknown): Error => {
    const reason = error instanceof Error ? error.message : 'unknown'
    log.warn('The identity provider is unavailable; people cannot sign in through it.', { reason })
    return providerUnavailableError.create({}, { cause: error, retryAfterSeconds: 5 })
  }

  /**
   * A client that caches only the provider's discovery document. Keys are fetched for each sign-in,
   * so that new ones apply at once.
   */
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
    async authorizationUrl(state, { nonce, codeVerifier }, { reauthenticate }) {
      const { client, configuration } = await openClient()
      const challenge = { code_challenge: await client.calculatePKCECodeChallenge(codeVerifier), code_challenge_method: 'S256' }
      try {
        const url = client.buildAuthorizationUrl(configuration, {
          ...{ redirect_uri: callbackUrl(), scope, state, nonce, ...challenge },
          ...(reauthenticate ? forcedLogin : {}),
        })
        if (!isAllowed(url)) throw new TypeError('The sign-in address is not https.')
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
        if (!claims) throw new TypeError('The identity provider returned no ID token.')
        const isAsked = claims['email'] === undefined && configuration.serverMetadata().userinfo_endpoint !== undefined
        const userInfo = isAsked ? await client.fetchUserInfo(configuration, tokens.access_token, claims.sub) : {}
        const { auth_time: signedOnAt } = claims
        return { identity: identityFrom(claims, userInfo), ...(signedOnAt === undefined ? {} : { signedOnAt: signedOnAt * 1000 }) }
      } catch (error) {
        signal.throwIfAborted()
        const { problem, reason } = toSignInError(error, client)
        log.warn('A sign-in through the identity provider failed.', { reason })
        throw problem
      }
    },
  }
}

/**
 * Uses a method that the provider supports; `client_secret_basic` by default, as in OpenID Connect
 * Discovery.
 */
function authenticationOf(client: typeof import('openid-client'), secret: string | undefined): ClientAuth {
  if (secret === undefined || secret === '') return client.None()
  return (server, ...rest) => {
    const methods = server.token_endpoint_auth_methods_supported ?? ['client_secret_basic']
    const authenticate = methods.includes('client_secret_basic') ? client.ClientSecretBasic(secret) : client.ClientSecretPost(secret)
    return authenticate(server, ...rest)
  }
}
