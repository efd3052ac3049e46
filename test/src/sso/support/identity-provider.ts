import { generateKeyPairSync } from 'node:crypto'
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type Configuration, Provider } from 'oidc-provider'

/** What the provider says of a person. */
export interface Person {
  readonly email?: string
  readonly email_verified?: boolean
  readonly name?: string
  readonly preferred_username?: string
}

/** A certified identity provider on this machine, with people who sign in by their name alone. */
export interface IdentityProviderPeer {
  readonly authority: string
  readonly clientId: string
  readonly clientSecret: string
  /** By their subject. May be changed at any time. */
  readonly people: Map<string, Person>
  /** Begins to answer; until then every request gets 500. */
  serve(redirectUri: string): void
  close(): Promise<void>
}

const broken: RequestListener = (_request, response) => response.writeHead(500).end('not yet')

/** Takes a free port. */
export async function startIdentityProvider(): Promise<IdentityProviderPeer> {
  let answer: RequestListener = broken
  const server = createServer((request, response) => answer(request, response))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const authority = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const people = new Map<string, Person>()
  const client = { clientId: 'agent-service', clientSecret: 'secret-of-the-service-at-the-provider' }

  return {
    ...client,
    authority,
    people,
    serve(redirectUri) {
      const provider = new Provider(authority, configurationOf({ ...client, redirectUri, people }))
      const callback = provider.callback()
      answer = (request, response) => {
        if (request.url?.startsWith('/interaction/')) void interact(provider, request, response)
        else void callback(request, response)
      }
    },
    close: () =>
      new Promise((resolve, reject) => {
        server.close((error) => (error ? reject(error) : resolve()))
        server.closeAllConnections()
      }),
  }
}

/**
 * The provider's own pages: one form, which takes the subject of a person, or nobody for a refusal.
 */
async function interact(provider: Provider, request: IncomingMessage, response: ServerResponse): Promise<void> {
  if (request.method === 'GET') {
    response.writeHead(200, { 'content-type': 'text/html' }).end('<form method="post"><input name="subject"></form>')
    return
  }
  let body = ''
  for await (const chunk of request) body += String(chunk)
  const subject = new URLSearchParams(body).get('subject') ?? ''
  const result = subject === '' ? { error: 'access_denied', error_description: 'words of the provider' } : { login: { accountId: subject } }
  await provider.interactionFinished(request, response, result)
}

function configurationOf(options: {
  readonly clientId: string
  readonly clientSecret: string
  readonly redirectUri: string
  readonly people: ReadonlyMap<string, Person>
}): Configuration {
  const seconds = 600
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  return {
    clients: [
      {
        ...{ client_id: options.clientId, client_secret: options.clientSecret, redirect_uris: [options.redirectUri] },
        id_token_signed_response_alg: 'ES256',
      },
    ],
    jwks: { keys: [{ ...privateKey.export({ format: 'jwk' }), kty: 'EC', kid: 'key', use: 'sig', alg: 'ES256' }] },
    ttl: { Interaction: seconds, Grant: seconds, Session: seconds, AccessToken: seconds, IdToken: seconds, AuthorizationCode: 60 },
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name', 'preferred_username'] },
    findAccount: (_context, id) => ({ accountId: id, claims: () => ({ sub: id, ...options.people.get(id) }) }),
    features: { devInteractions: { enabled: false } },
    interactions: { url: (_context, interaction) => `/interaction/${interaction.uid}` },
    pkce: { required: () => true },
    cookies: { keys: ['a key for tests alone'] },
    // Whoever signs in has agreed.
    async loadExistingGrant({ oidc }) {
      const grant = new oidc.provider.Grant({
        ...(oidc.client ? { clientId: oidc.client.clientId } : {}),
        ...(oidc.session?.accountId === undefined ? {} : { accountId: oidc.session.accountId }),
      })
      grant.addOIDCScope('openid email profile')
      await grant.save()
      return grant
    },
  }
}
