import { generateKeyPairSync } from 'node:crypto'
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type Configuration, Provider } from 'oidc-provider'

/**
 * A certified authorization server on this machine: PKCE, refresh tokens that rotate and notice a
 * second use, revocation, client credentials.
 */
export interface TokenProvider {
  readonly url: string
  readonly clientId: string
  readonly clientSecret: string
  /** How often each path was asked with each grant. */
  readonly asked: readonly { readonly path: string; readonly grant: string | undefined }[]
  /** Begins to answer. */
  serve(redirectUri: string): void
  /** Whether an access token is taken. */
  accepts(token: string): Promise<boolean>
  close(): Promise<void>
}

/** Access tokens live so short that each is renewed at its first use. */
const tokenSeconds = 60

export async function startTokenProvider(): Promise<TokenProvider> {
  const asked: { path: string; grant: string | undefined }[] = []
  let answer: RequestListener = (_request, response) => response.writeHead(500).end()
  const server = createServer((request, response) => answer(request, response))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const client = { clientId: 'agent-service', clientSecret: 'secret-of-the-client-at-the-provider' }
  return {
    ...{ url, asked, ...client },
    serve(redirectUri) {
      const provider = new Provider(url, configurationOf({ ...client, redirectUri }))
      provider.on('grant.success', ({ oidc }) => void asked.push({ path: '/token', grant: String(oidc.params?.['grant_type']) }))
      provider.on('refresh_token.destroyed', () => void asked.push({ path: '/token/revocation', grant: undefined }))
      const callback = provider.callback()
      answer = (request, response) =>
        void (request.url?.startsWith('/interaction/') ? interact(provider, request, response) : callback(request, response))
    },
    async accepts(token) {
      const response = await fetch(`${url}/me`, { headers: { authorization: `Bearer ${token}` } })
      await response.body?.cancel()
      return response.status === 200
    },
    close: () =>
      new Promise((resolve, reject) => {
        server.close((error) => (error ? reject(error) : resolve()))
        server.closeAllConnections()
      }),
  }
}

/** Every visitor is Ada, and agrees. */
const interact = (provider: Provider, request: IncomingMessage, response: ServerResponse): Promise<void> =>
  provider.interactionFinished(request, response, { login: { accountId: 'ada' }, consent: {} })

function configurationOf(options: {
  readonly clientId: string
  readonly clientSecret: string
  readonly redirectUri: string
}): Configuration {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  return {
    clients: [
      {
        ...{ client_id: options.clientId, client_secret: options.clientSecret, redirect_uris: [options.redirectUri] },
        id_token_signed_response_alg: 'ES256',
        grant_types: ['authorization_code', 'refresh_token', 'client_credentials'],
      },
    ],
    jwks: { keys: [{ ...privateKey.export({ format: 'jwk' }), kty: 'EC', kid: 'key', use: 'sig', alg: 'ES256' }] },
    ttl: {
      ...{ Interaction: 600, Grant: 600, Session: 600, IdToken: 600, AuthorizationCode: 60, RefreshToken: 600 },
      ...{ AccessToken: tokenSeconds, ClientCredentials: tokenSeconds },
    },
    findAccount: (_context, id) => ({ accountId: id, claims: () => ({ sub: id }) }),
    features: { devInteractions: { enabled: false }, revocation: { enabled: true }, clientCredentials: { enabled: true } },
    interactions: { url: (_context, interaction) => `/interaction/${interaction.uid}` },
    pkce: { required: () => true },
    issueRefreshToken: async () => true,
    rotateRefreshToken: true,
    cookies: { keys: ['a key for tests alone'] },
    async loadExistingGrant({ oidc }) {
      const grant = new oidc.provider.Grant({
        ...(oidc.client ? { clientId: oidc.client.clientId } : {}),
        ...(oidc.session?.accountId === undefined ? {} : { accountId: oidc.session.accountId }),
      })
      grant.addOIDCScope('openid')
      await grant.save()
      return grant
    },
  }
}
