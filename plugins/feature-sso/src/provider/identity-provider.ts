import type { Logger } from '@agent-service/sdk'
import { isClientRefused } from '@agent-service/sdk/oauth-client'
import type { ExternalIdentity } from '@agent-service/sdk/services/external-sign-in'
import { misconfiguredError, providerUnavailableError } from '../common/errors.js'
import { exchangeCode, type Tokens } from './exchange-code.js'
import { hasAddress, identityFrom } from './identity-from.js'
import { ProviderSetUpError } from './issuer.js'
import type { OpenProvider, ProviderConnection } from './provider-connection.js'
import { ClientRefusedError, reachReason, refusalIn, toSignInError } from './sign-in-error.js'
import type { WorkingMethod } from './working-method.js'

/** A person whose identity the provider has proven. */
export interface ProvenPerson {
  readonly identity: ExternalIdentity
  /**
   * `auth_time`: when they signed on there, in milliseconds since 1970; absent if the provider does
   * not report it.
   */
  readonly signedOnAt?: number
}

/** What binds a sign-in to its beginning, besides the state. */
export interface SignInProof {
  /** Comes back in the ID token. */
  readonly nonce: string
  /** Of PKCE: goes with the code. */
  readonly codeVerifier: string
}

/** The configured identity provider. It is not contacted before the first sign-in. */
export interface IdentityProvider {
  /**
   * The address for the browser to sign in at; `reauthenticate` requires a fresh sign-on at the
   * provider. @throws `sso_misconfigured`, `sso_unavailable`.
   */
  authorizationUrl(state: string, proof: SignInProof, options: { readonly reauthenticate: boolean }): Promise<string>
  /**
   * The identity of a person who was redirected back with these parameters. Makes all checks of
   * OpenID Connect Core 3.1.3.7 and RFC 9207, including the signature of the ID token. `code_used`: the code was lost while
   * the provider's method of authentication was found, which is known now; another sign-in succeeds.
   * @throws `sso_denied`, `sso_misconfigured`, `sso_response_invalid`, `sso_unavailable`.
   */
  identityOf(parameters: URLSearchParams, state: string, proof: SignInProof): Promise<ProvenPerson | 'code_used'>
}

/** What an identity provider depends on. */
export interface IdentityProviderOptions {
  readonly connection: ProviderConnection
  readonly authority: string
  readonly clientId: string
  /** Without one the client is public and uses only PKCE. */
  readonly clientSecret: string | undefined
  /** `sso.token_endpoint_auth_method`; undefined: whichever works. */
  readonly method: 'client_secret_basic' | 'client_secret_post' | undefined
  readonly worked: WorkingMethod
  readonly scopes: string
  /** The redirect address; called at each use. */
  readonly callbackUrl: () => string
  readonly log: Logger
  /** Cancels everything in progress. */
  readonly signal: AbortSignal
}

/**
 * OpenID Connect Core 3.1.2.1: the person signs on again, and the ID token must contain
 * `auth_time`.
 */
const forcedLogin = { prompt: 'login', max_age: '0' } as const

export function createIdentityProvider(options: IdentityProviderOptions): IdentityProvider {
  const { connection, authority, clientId, clientSecret, method, worked, callbackUrl, log, signal } = options
  const scope = [...new Set(['openid', ...options.scopes.split(/\s+/).filter((word) => word !== '')])].join(' ')

  const unavailable = (error: unknown): Error => {
    if (error instanceof ProviderSetUpError) {
      log.warn('Single sign-on does not fit the identity provider; people cannot sign in through it.', { reason: error.message })
      return misconfiguredError.create({}, { cause: error })
    }
    log.warn('The identity provider is unavailable; people cannot sign in through it.', { reason: reachReason(error) })
    return providerUnavailableError.create({ said: '' }, { cause: error, retryAfterSeconds: 5 })
  }

  const open = async (): Promise<OpenProvider> => {
    try {
      return await connection.open()
    } catch (error) {
      signal.throwIfAborted()
      throw unavailable(error)
    }
  }

  const tokensOf = async (parameters: URLSearchParams, state: string, proof: SignInProof, provider: OpenProvider) => {
    const { client, configuration } = provider
    const offered = configuration.serverMetadata().token_endpoint_auth_methods_supported
    const url = new URL(callbackUrl())
    url.search = parameters.toString()
    const exchange = async ({ configuration }: Pick<OpenProvider, 'configuration'>): Promise<Tokens> =>
      client.authorizationCodeGrant(configuration, url, {
        ...{ expectedState: state, expectedNonce: proof.nonce, pkceCodeVerifier: proof.codeVerifier, idTokenExpected: true },
      })
    if (clientSecret !== undefined)
      return exchangeCode(
        { clientId, clientSecret, method, worked, log },
        { client, offered, exchange: async (each) => exchange(await connection.open(each)) },
      )
    try {
      return await exchange(provider)
    } catch (error) {
      const refusal = await refusalIn(error, client)
      throw refusal !== undefined && isClientRefused(refusal) ? new ClientRefusedError({ tried: [], offered }, { cause: error }) : error
    }
  }

  const personOf = async (tokens: Tokens, { client, configuration, relation }: OpenProvider): Promise<ProvenPerson> => {
    const claims = tokens.claims()
    if (!claims) throw new TypeError('The identity provider returned no ID token.')
    const isAsked = !hasAddress(claims) && configuration.serverMetadata().userinfo_endpoint !== undefined
    const userInfo = isAsked ? await client.fetchUserInfo(configuration, tokens.access_token, claims.sub) : {}
    const { auth_time: signedOnAt } = claims
    const identity = identityFrom(claims, userInfo, { anyTenant: relation === 'any tenant' })
    return { identity, ...(signedOnAt === undefined ? {} : { signedOnAt: signedOnAt * 1000 }) }
  }

  return {
    async authorizationUrl(state, { nonce, codeVerifier }, { reauthenticate }) {
      const { client, configuration } = await open()
      const challenge = { code_challenge: await client.calculatePKCECodeChallenge(codeVerifier), code_challenge_method: 'S256' }
      try {
        const url = client.buildAuthorizationUrl(configuration, {
          ...{ redirect_uri: callbackUrl(), scope, state, nonce, ...challenge },
          ...(reauthenticate ? forcedLogin : {}),
        })
        if (!connection.isAllowed(url)) throw new TypeError('The sign-in address is not https.')
        return url.href
      } catch (error) {
        connection.forget()
        throw unavailable(error)
      }
    },
    async identityOf(parameters, state, proof) {
      const provider = await open()
      let tokens: Tokens | 'code_used' | undefined
      try {
        tokens = await tokensOf(parameters, state, proof, provider)
        return tokens === 'code_used' ? tokens : await personOf(tokens, provider)
      } catch (error) {
        signal.throwIfAborted()
        const { problem, reason } = await toSignInError(error, { client: provider.client, authority, clientId, clientSecret })
        log.warn('A sign-in through the identity provider failed.', { reason, request: tokens === undefined ? undefined : 'user info' })
        throw problem
      }
    },
  }
}
