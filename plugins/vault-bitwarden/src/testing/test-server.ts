import { randomUUID } from 'node:crypto'
import { createServer as createHttpServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { createServer as createHttpsServer } from 'node:https'
import { encrypt, type SymmetricKey } from '../crypto/encrypted-strings.js'
import type { TestAccount } from './test-account.js'

/** A cipher as the server stores it: what a client sent, with what the server adds. */
export type StoredCipher = Record<string, unknown> & { id: string; revisionDate: string }

/** What may be wrong with the server. */
export type ServerFault = 'down' | 'failing' | 'silent' | 'busy' | 'forbidding' | 'damaged' | 'huge' | 'redirecting'

/** A request that the server has seen. */
export interface SeenRequest {
  readonly method: string
  readonly path: string
  readonly body: string
}

/** A server with the part of the protocol that the official command-line client needs, and that ours does. */
export interface TestServer {
  readonly url: string
  readonly account: TestAccount
  readonly seen: readonly SeenRequest[]
  readonly ciphers: Map<string, StoredCipher>
  readonly folders: Map<string, string>
  readonly collections: Map<string, string>
  /** Members of the answer to a sign-in that replace the usual ones. */
  signInAnswer: Readonly<Record<string, unknown>>
  /** A status and body that every sign-in fails with. */
  signInFailure: { readonly status: number; readonly body: unknown } | undefined
  fault: ServerFault | undefined
  /** How many seconds a token lasts. */
  tokenSeconds: number
  /** How many connections there were. */
  connections(): number
  /** Tokens so far are no longer taken. */
  expireTokens(): void
  /** Stores a cipher as another client would, and gives its id. */
  put(cipher: Readonly<Record<string, unknown>>, id?: string): string
  /** Moves it to the trash. */
  trash(id: string): void
  close(): Promise<void>
}

/** A login, encrypted. */
export function encryptLogin(
  title: string,
  {
    username,
    password,
    uri,
    notes,
    fields = [],
  }: {
    readonly username?: string
    readonly password?: string
    readonly uri?: string
    readonly notes?: string
    readonly fields?: readonly { readonly name: string; readonly value: string; readonly type: number }[]
  },
  key: SymmetricKey,
): Readonly<Record<string, unknown>> {
  const of = (value: string | undefined): string | null => (value === undefined ? null : encrypt(value, key))
  return {
    ...{ type: 1, name: encrypt(title, key), notes: of(notes) },
    login: { username: of(username), password: of(password), totp: null, uris: uri === undefined ? null : [{ uri: of(uri), match: null }] },
    fields: fields.map(({ name, value, type }) => ({ type, name: of(name), value: of(value), linkedId: null })),
  }
}

/** Starts one on a free port of the loopback interface; over TLS with a certificate. */
export async function startTestServer(
  account: TestAccount,
  { tls, port = 0 }: { readonly tls?: { readonly key: string; readonly cert: string }; readonly port?: number } = {},
): Promise<TestServer> {
  const seen: SeenRequest[] = []
  const ciphers = new Map<string, StoredCipher>()
  const folders = new Map<string, string>()
  const collections = new Map<string, string>()
  let tokens = new Set<string>()
  let connections = 0
  let lastDate = 0
  let revision = Date.now()

  const nextDate = (): string => {
    lastDate = Math.max(lastDate + 1, Date.now())
    revision = lastDate
    return new Date(lastDate).toISOString().replace('Z', '0000Z')
  }
  const store = (id: string, cipher: Readonly<Record<string, unknown>>): StoredCipher => {
    const stored: StoredCipher = {
      ...{ organizationId: null, folderId: null, favorite: false, edit: true, viewPassword: true, organizationUseTotp: true, reprompt: 0 },
      ...{ collectionIds: [], deletedDate: null, attachments: null, key: null, passwordHistory: null, fields: null, notes: null },
      ...{ permissions: { delete: true, restore: true }, archivedDate: null, creationDate: new Date().toISOString() },
      ...cipher,
      ...{ object: 'cipherDetails', id, revisionDate: nextDate() },
    }
    ciphers.set(id, stored)
    return stored
  }

  const profile = () => ({
    ...{ id: account.id, email: account.email, name: 'Ada', premium: true, emailVerified: true, culture: 'en-US', twoFactorEnabled: false },
    ...{ key: account.encryptedKey, privateKey: account.encryptedPrivateKey, securityStamp: account.id, forcePasswordReset: false },
    ...{ usesKeyConnector: false, providers: [], providerOrganizations: [], object: 'profile', accountKeys: accountKeys(account) },
    organizations: [organizationOf(account)],
  })
  const sync = () => ({
    object: 'sync',
    profile: profile(),
    folders: [...folders].map(([id, name]) => ({ object: 'folder', id, name, revisionDate: new Date(0).toISOString() })),
    collections: [...collections].map(([id, name]) => ({
      ...{ object: 'collectionDetails', id, organizationId: account.organization.id, name, externalId: null },
      ...{ readOnly: false, hidePasswords: false, manage: true },
    })),
    ciphers: [...ciphers.values()],
    ...{ domains: null, policies: [], sends: [], userDecryption: unlockOf(account) },
  })

  const signIn = (body: string): Answer => {
    if (server.signInFailure !== undefined) return server.signInFailure
    const form = new URLSearchParams(body)
    if (form.get('client_id') !== `user.${account.id}` || form.get('client_secret') !== account.clientSecret)
      return { status: 400, body: { error: 'invalid_client' } }
    const token = ['{}', JSON.stringify(claimsOf(account, server.tokenSeconds)), randomUUID()]
      .map((part) => Buffer.from(part).toString('base64url'))
      .join('.')
    tokens.add(token)
    return { body: { ...signInAnswerOf(account), access_token: token, expires_in: server.tokenSeconds, ...server.signInAnswer } }
  }

  const write = (body: string, id: string | undefined): Answer => {
    const { lastKnownRevisionDate, encryptedFor, attachments: _, attachments2: __, ...cipher } = JSON.parse(body)
    if (encryptedFor !== undefined && encryptedFor !== account.id)
      return { status: 400, body: { message: 'Encrypted for another account.' } }
    const present = id === undefined ? undefined : ciphers.get(id)
    if (id !== undefined && present === undefined) return { status: 404, body: { message: 'Resource not found.' } }
    // As tolerant as the real servers.
    const apart = Math.abs(Date.parse(String(present?.revisionDate)) - Date.parse(lastKnownRevisionDate))
    if (present !== undefined && apart > 1_000)
      return {
        status: 400,
        body: { message: 'The cipher you are updating is out of date. Please save your work, sync your vault, and try again.' },
      }
    return { body: store(id ?? randomUUID(), { ...present, ...cipher }) }
  }

  const answer = (method: string, path: string, body: string, authorization: string | undefined): Answer => {
    if (path === '/identity/connect/token') return signIn(body)
    if (path.endsWith('/accounts/prelogin') || path.endsWith('/accounts/prelogin/password')) return { body: preloginOf(account) }
    if (path === '/api/config') return { body: configOf(server.url) }
    if (!tokens.has(authorization?.replace(/^Bearer /, '') ?? '')) return { status: 401, body: '' }
    if (server.fault === 'forbidding' && !path.includes('/accounts/')) return { status: 403, body: { message: 'No access.' } }
    if (path === '/api/accounts/key-management/user-key-id') return { body: '' }
    if (path === '/api/accounts/revision-date') return { body: revision }
    if (path === '/api/accounts/profile') return { body: profile() }
    if (path === '/api/sync') return { body: sync() }
    const [, id] = /^\/api\/ciphers(?:\/([^/]+?))?(?:\/details)?$/.exec(path) ?? []
    if (path.startsWith('/api/ciphers') && method !== 'GET') return write(body, id)
    const cipher = ciphers.get(id?.toLowerCase() ?? '')
    return cipher === undefined ? { status: 404, body: { message: 'Resource not found.' } } : { body: cipher }
  }

  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const pieces: Buffer[] = []
    for await (const piece of request) pieces.push(piece as Buffer)
    const body = Buffer.concat(pieces).toString('utf8')
    const path = new URL(request.url ?? '/', 'http://server').pathname
    seen.push({ method: request.method ?? '', path, body })
    if (server.fault === 'silent') return
    const {
      status = 200,
      body: answered,
      headers = {},
    } = faultAnswers[server.fault ?? 'forbidding'] ?? answer(request.method ?? 'GET', path, body, request.headers.authorization)
    response
      .writeHead(status, { 'content-type': 'application/json', ...headers })
      .end(typeof answered === 'string' || Buffer.isBuffer(answered) ? answered : JSON.stringify(answered))
  }

  const listener = (request: IncomingMessage, response: ServerResponse): void => {
    handle(request, response).catch((error: unknown) => response.writeHead(500).end(String(error)))
  }
  const http = tls === undefined ? createHttpServer(listener) : createHttpsServer(tls, listener)
  http.on('connection', (socket) => {
    connections += 1
    if (server.fault === 'down') socket.destroy()
  })
  await new Promise<void>((resolve) => http.listen(port, '127.0.0.1', resolve))
  const address = http.address()
  const server: TestServer = {
    url: `${tls === undefined ? 'http' : 'https'}://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`,
    ...{ account, seen, ciphers, folders, collections, signInAnswer: {}, signInFailure: undefined, fault: undefined, tokenSeconds: 3_600 },
    connections: () => connections,
    expireTokens() {
      tokens = new Set()
    },
    put: (cipher, id = randomUUID()) => store(id, { ...ciphers.get(id), ...cipher }).id,
    trash(id) {
      store(id, { ...ciphers.get(id), deletedDate: new Date().toISOString() })
    },
    close: () =>
      new Promise<void>((resolve) => {
        http.close(() => resolve())
        http.closeAllConnections()
      }),
  }
  return server
}

interface Answer {
  readonly status?: number
  readonly body: unknown
  readonly headers?: Readonly<Record<string, string>>
}

/** Bytes, made once: a text that becomes bytes for each answer holds up the client, which is in the same process. */
let hugeText: Buffer | undefined

const faultAnswers: Readonly<Partial<Record<ServerFault, Answer>>> = {
  failing: { status: 502, body: 'Bad gateway' },
  busy: { status: 429, body: { message: 'Slow down! Too many requests.' }, headers: { 'retry-after': '7' } },
  damaged: { body: '<html>canary</html>' },
  get huge() {
    hugeText ??= Buffer.from(`"${'x'.repeat(40 * 1_024 * 1_024)}"`)
    return { body: hugeText }
  },
  redirecting: { status: 302, body: '', headers: { location: 'https://elsewhere.example/' } },
}

const claimsOf = ({ id, email }: TestAccount, seconds: number) => ({
  ...{ sub: id, email, email_verified: true, name: 'Ada', premium: true, sstamp: id, device: id, iss: 'https://server/identity' },
  ...{ nbf: Math.floor(Date.now() / 1_000) - 5, exp: Math.floor(Date.now() / 1_000) + seconds, scope: ['api'], amr: ['Application'] },
})

const accountKeys = ({ publicKey, encryptedPrivateKey }: TestAccount) => ({
  publicKeyEncryptionKeyPair: { publicKey, wrappedPrivateKey: encryptedPrivateKey, signedPublicKey: null },
  signatureKeyPair: null,
  securityState: null,
})

const unlockOf = ({ kdf, encryptedKey, email }: TestAccount) => ({
  masterPasswordUnlock: {
    kdf: { kdfType: kdf.kdfType, iterations: kdf.iterations, memory: kdf.memory, parallelism: kdf.parallelism },
    ...{ masterKeyEncryptedUserKey: encryptedKey, salt: email },
  },
})

/** In the two ways of writing that servers mix in this answer. */
const signInAnswerOf = (account: TestAccount) => ({
  ...{ token_type: 'Bearer', scope: 'api', ResetMasterPassword: false, ForcePasswordReset: false, ApiUseKeyConnector: false },
  ...{
    Key: account.encryptedKey,
    PrivateKey: account.encryptedPrivateKey,
    Kdf: account.kdf.kdfType,
    KdfIterations: account.kdf.iterations,
  },
  ...{ KdfMemory: account.kdf.memory, KdfParallelism: account.kdf.parallelism, AccountKeys: accountKeys(account) },
  UserDecryptionOptions: {
    HasMasterPassword: true,
    Object: 'userDecryptionOptions',
    MasterPasswordUnlock: {
      Kdf: {
        ...{ KdfType: account.kdf.kdfType, Iterations: account.kdf.iterations },
        ...{ Memory: account.kdf.memory, Parallelism: account.kdf.parallelism },
      },
      ...{ MasterKeyEncryptedUserKey: account.encryptedKey, Salt: account.email },
    },
  },
})

const preloginOf = ({ kdf, email }: TestAccount) => ({
  ...{ kdf: kdf.kdfType, kdfIterations: kdf.iterations, kdfMemory: kdf.memory, kdfParallelism: kdf.parallelism, salt: email },
  kdfSettings: { kdfType: kdf.kdfType, iterations: kdf.iterations, memory: kdf.memory, parallelism: kdf.parallelism },
})

const configOf = (url: string) => ({
  ...{
    version: '2025.12.0',
    gitHash: '00000000',
    server: null,
    object: 'config',
    featureStates: {},
    settings: { disableUserRegistration: false },
  },
  environment: {
    vault: url,
    api: `${url}/api`,
    identity: `${url}/identity`,
    notifications: `${url}/notifications`,
    sso: '',
    cloudRegion: null,
  },
  push: { pushTechnology: 0, vapidPublicKey: null },
})

const organizationOf = ({ id, organization }: TestAccount) => ({
  ...{ id: organization.id, name: organization.name, key: organization.encryptedKey, userId: id, status: 2, type: 2, enabled: true },
  ...{ object: 'profileOrganization', usePolicies: false, useSso: false, useKeyConnector: false, useScim: false, useGroups: false },
  ...{ useDirectory: false, useEvents: false, useTotp: true, use2fa: true, useApi: true, useResetPassword: false, usersGetPremium: true },
  ...{
    useSecretsManager: false,
    usePasswordManager: true,
    selfHost: true,
    seats: 10,
    maxCollections: null,
    maxStorageGb: 1,
    identifier: null,
  },
  ...{ hasPublicAndPrivateKeys: true, providerId: null, providerName: null, familySponsorshipFriendlyName: null, keyConnectorUrl: null },
  ...{
    permissions: {},
    resetPasswordEnrolled: false,
    ssoBound: false,
    keyConnectorEnabled: false,
    productTierType: 3,
    userIsManagedByOrganization: false,
  },
  ...{
    limitCollectionCreation: false,
    limitCollectionDeletion: false,
    allowAdminAccessToAllCollectionItems: true,
    limitItemDeletion: false,
  },
})
