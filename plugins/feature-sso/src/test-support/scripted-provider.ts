import { constants, createHmac, generateKeyPairSync, type KeyObject, sign } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** How to create the ID tokens of a test. */
export interface TokenScript {
  readonly claims?: Readonly<Record<string, unknown>>
  /** Default `ES256`. */
  readonly algorithm?: 'ES256' | 'RS256' | 'PS256' | 'EdDSA' | 'HS256' | 'none'
  /** Without `kid`. */
  readonly nameless?: boolean
  /** Signs with a key that the provider does not publish, under the published id. */
  readonly foreignKey?: boolean
}

/** An identity provider that responds as a test scripts it. */
export interface ScriptedProvider {
  readonly issuer: string
  readonly clientSecret: string
  /** The script of the next ID tokens. */
  token: TokenScript
  /** Responds in place of the provider; true if it did. */
  answer: (request: IncomingMessage, response: ServerResponse, body: string) => boolean
  /** Members of the discovery document in place of the defaults; undefined removes one. */
  metadata: Readonly<Record<string, unknown>>
  userInfo: Readonly<Record<string, unknown>>
  /** Changes the published keys. */
  publish: (keys: readonly object[]) => readonly object[]
  /** The requests so far: `POST /token`, with the body. */
  readonly requests: { readonly line: string; readonly body: string; readonly authorization: string | undefined }[]
  /** The nonce for the next tokens. */
  nonce: string
  /** Signs with a new key from now on, and publishes only that one. */
  rotate(): void
  close(): Promise<void>
}

const base64url = (value: unknown): string => Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)).toString('base64url')

// An RSA key takes long to make; all providers of a process have the same.
const others = { rsa: generateKeyPairSync('rsa', { modulusLength: 2048 }), ed: generateKeyPairSync('ed25519') }

/** Starts one on a free port of this machine. */
export async function startScriptedProvider(): Promise<ScriptedProvider> {
  let generation = 1
  let keys = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const foreign = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const clientSecret = 'secret of the client'

  const idToken = (provider: ScriptedProvider): string => {
    const { claims = {}, algorithm = 'ES256', foreignKey = false, nameless = false } = provider.token
    const now = Math.floor(Date.now() / 1000)
    const whole = { iss: provider.issuer, aud: 'client', sub: 'ada', nonce: provider.nonce, iat: now, exp: now + 300, ...claims }
    const kids: Readonly<Record<string, string>> = { RS256: 'rsa', PS256: 'rsa', EdDSA: 'ed' }
    const header = { alg: algorithm, ...(!nameless && { kid: kids[algorithm] ?? `key-${generation}` }), typ: 'JWT' }
    const input = `${base64url(header)}.${base64url(whole)}`
    const bytes = Buffer.from(input)
    const signatures: Readonly<Record<typeof algorithm, () => Buffer>> = {
      ES256: () => sign('sha256', bytes, { key: foreignKey ? foreign.privateKey : keys.privateKey, dsaEncoding: 'ieee-p1363' }),
      RS256: () => sign('sha256', bytes, others.rsa.privateKey),
      PS256: () => sign('sha256', bytes, { key: others.rsa.privateKey, padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: 32 }),
      EdDSA: () => sign(null, bytes, others.ed.privateKey),
      HS256: () => createHmac('sha256', publicText(keys.publicKey)).update(input).digest(),
      none: () => Buffer.alloc(0),
    }
    const signature = signatures[algorithm]()
    return `${input}.${signature.toString('base64url')}`
  }

  const documents: Readonly<Record<string, (provider: ScriptedProvider) => unknown>> = {
    '/.well-known/openid-configuration': ({ issuer, metadata }) => ({
      issuer,
      authorization_endpoint: `${issuer}/authorize`,
      token_endpoint: `${issuer}/token`,
      jwks_uri: `${issuer}/keys`,
      userinfo_endpoint: `${issuer}/userinfo`,
      id_token_signing_alg_values_supported: ['ES256', 'RS256', 'PS256', 'EdDSA', 'HS256', 'none'],
      ...metadata,
    }),
    '/keys': ({ publish }) => ({
      keys: publish([
        { ...keys.publicKey.export({ format: 'jwk' }), kid: `key-${generation}`, alg: 'ES256', use: 'sig' },
        { ...others.rsa.publicKey.export({ format: 'jwk' }), kid: 'rsa', use: 'sig' },
        { ...others.ed.publicKey.export({ format: 'jwk' }), kid: 'ed' },
      ]),
    }),
    '/token': (provider) => ({ access_token: 'access', token_type: 'Bearer', expires_in: 60, id_token: idToken(provider) }),
    '/userinfo': ({ userInfo }) => userInfo,
  }

  const server = createServer(async (request, response) => {
    let body = ''
    for await (const chunk of request) body += String(chunk)
    const { method = '', url = '', headers } = request
    provider.requests.push({ line: `${method} ${url}`, body, authorization: headers.authorization })
    if (provider.answer(request, response, body)) return
    const document = documents[url]?.(provider)
    response.writeHead(document === undefined ? 404 : 200, { 'content-type': 'application/json' })
    response.end(JSON.stringify(document ?? {}))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))

  const provider: ScriptedProvider = {
    issuer: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    clientSecret,
    token: {},
    answer: () => false,
    metadata: {},
    userInfo: { sub: 'ada' },
    publish: (keys) => keys,
    requests: [],
    nonce: '',
    rotate() {
      generation += 1
      keys = generateKeyPairSync('ec', { namedCurve: 'P-256' })
    },
    close: () =>
      new Promise((resolve, reject) => {
        server.close((error) => (error ? reject(error) : resolve()))
        server.closeAllConnections()
      }),
  }
  return provider
}

const publicText = (key: KeyObject): string => key.export({ type: 'spki', format: 'pem' }).toString()
