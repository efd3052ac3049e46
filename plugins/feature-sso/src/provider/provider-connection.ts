import { authenticateClient, type ClientAuthenticationMethod } from '@agent-service/sdk/oauth-client'
import type { Clock } from '@agent-service/sdk/services/clock'
import type { ClientAuth, Configuration, CustomFetch } from 'openid-client'
import { isLoopbackHost } from '../configuration/loopback-host.js'
import { createBoundedFetch } from './bounded-fetch.js'
import { createDiscoveryDocument } from './discovery-document.js'
import { type IssuerRelation, ProviderSetUpError, relationOf } from './issuer.js'

/** The library, loaded with the first sign-in. */
export type OpenIdClient = typeof import('openid-client')

/** The library with what the provider says of itself. */
export interface OpenProvider {
  readonly client: OpenIdClient
  readonly configuration: Configuration
  /** How its issuer relates to `sso.authority`. */
  readonly relation: IssuerRelation
}

/** The way to the provider. It is not contacted before it is opened. */
export interface ProviderConnection {
  /**
   * Opens it for a client that authenticates by this method; without one it has no secret. Only the discovery document is
   * cached: keys are fetched for each sign-in, so that new ones apply at once.
   * @throws {@link ProviderSetUpError}; an error of the library or of `fetch` if it cannot be reached.
   */
  open(method?: ClientAuthenticationMethod): Promise<OpenProvider>
  /** Whether people and secrets may be sent to an address. */
  isAllowed(address: URL): boolean
  /** Drops what the provider said of itself. */
  forget(): void
}

/** What a connection depends on. */
export interface ProviderConnectionOptions {
  readonly authority: string
  readonly clientId: string
  /** Without one the client is public and uses only PKCE. */
  readonly clientSecret: string | undefined
  readonly clock: Clock
  /** Cancels everything in progress. */
  readonly signal: AbortSignal
  /** How long one response of the provider may take. Default: 10. */
  readonly timeoutSeconds?: number
}

export function createProviderConnection(options: ProviderConnectionOptions): ProviderConnection {
  const { clientId, clientSecret, clock, signal } = options
  const authority = new URL(options.authority)
  // The configuration allows this only on this machine.
  const isPlain = authority.protocol === 'http:'
  const isAllowed = ({ protocol, hostname }: URL): boolean => protocol === 'https:' || (isPlain && isLoopbackHost(hostname))
  const fetch = createBoundedFetch({ isAllowed, signal })
  const document = createDiscoveryDocument({ fetch, clock, signal })

  return {
    isAllowed,
    forget: document.forget,
    async open(method) {
      const client = await import('openid-client')
      let relation: IssuerRelation = 'same'
      const readDocument: CustomFetch = async (url, request) => {
        const text = await document.read(url, request as RequestInit)
        relation = relationOf(authority, issuerIn(text, url))
        return new Response(text, { headers: { 'content-type': 'application/json' } })
      }
      const authenticate: ClientAuth = (_server, _client, body, headers) => {
        if (method === undefined || clientSecret === undefined) return body.set('client_id', clientId)
        const credentials = authenticateClient({ clientId, clientSecret }, method)
        for (const [name, value] of Object.entries(credentials.headers)) headers.set(name, value)
        for (const [name, value] of Object.entries(credentials.members)) body.set(name, value)
      }
      try {
        const configuration = await client.discovery(authority, clientId, {}, authenticate, {
          [client.customFetch]: readDocument,
          timeout: options.timeoutSeconds ?? 10,
          execute: [client.enableNonRepudiationChecks, ...(isPlain ? [client.allowInsecureRequests] : [])],
        })
        configuration[client.customFetch] = (url, request) => fetch(url, request as RequestInit)
        return { client, configuration, relation }
      } catch (error) {
        document.forget()
        throw setUpErrorIn(error) ?? error
      }
    },
  }
}

function issuerIn(text: string, address: string): unknown {
  try {
    const document: unknown = JSON.parse(text)
    return typeof document === 'object' && document !== null ? (document as { readonly issuer?: unknown }).issuer : undefined
  } catch (cause) {
    throw new ProviderSetUpError(`“${address}” does not answer with JSON: it is not a provider of OpenID Connect. Check sso.authority.`, {
      cause,
    })
  }
}

/** The library wraps errors that it does not know. */
const setUpErrorIn = (error: unknown): ProviderSetUpError | undefined =>
  error instanceof ProviderSetUpError
    ? error
    : error instanceof Error && error.cause instanceof ProviderSetUpError
      ? error.cause
      : undefined
