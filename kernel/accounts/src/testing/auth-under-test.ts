import { type ControlledClock, createControlledClock } from '@agent-service/kernel-core/clock/testing'
import { openTestStore, type TestStore } from '@agent-service/kernel-core/events/testing'
import { ContributionRegistry } from '@agent-service/kernel-core/plugins/contributions'
import { createRecordingLog, type RecordingLog } from '@agent-service/kernel-core/scheduler/testing'
import type { SecretCipher } from '@agent-service/kernel-core/secrets'
import { validate } from '@agent-service/sdk'
import type { HttpRoute, Principal, RouteRequest } from '@agent-service/sdk/contracts/http-route'
import { createAuditLog } from '../audit/index.js'
import { type Auth, type AuthDependencies, openAuth } from '../open-auth.js'
import type { PasswordCost } from '../passwords/password-hasher.js'
import { authCollections } from '../records/records.js'

/** The cheapest cost that argon2 takes. */
export const cheapCost: PasswordCost = { memoryCost: 64, timeCost: 2, parallelism: 1 }

/** Marks what it seals, and opens it only where it was sealed. */
export const fakeCipher: SecretCipher = {
  seal: async (plaintext, binding) => JSON.stringify({ binding, sealed: Buffer.from(plaintext).toString('hex') }),
  async open(text, binding) {
    const { binding: wanted, sealed } = JSON.parse(text) as { readonly binding: unknown; readonly sealed: string }
    if (JSON.stringify(wanted) !== JSON.stringify(binding)) throw new Error('Opened where it was not sealed.')
    return Buffer.from(sealed, 'hex')
  },
}

/** Policies that permit everything. */
export const permitAll = { isAuthorized: async () => ({ allowed: true }) }

/** The defaults of section `auth` that accounts use. */
export const authSettingsUnderTest = {
  access_token_expiry_secs: 900,
  refresh_token_expiry_secs: 604_800,
  ephemeral_token_expiry_secs: 300,
  presign_expiry_secs: 86_400,
  allow_registration: true,
  signing_key_rotation_days: 90,
}

/** Accounts over a store that outlives them. */
export interface AuthUnderTest extends Auth {
  readonly clock: ControlledClock
  readonly log: RecordingLog
  readonly store: TestStore
  /**
   * Calls a route's handler as the server would, after its access check; body and answer are held
   * against its schemas.
   */
  call(operationId: string, request?: Partial<RouteRequest>): Promise<CalledRoute>
  /** Registers from this machine and answers with the body. */
  register(username: string, more?: Readonly<Record<string, unknown>>): Promise<SignedInBody>
  principal(token: string): Promise<Principal>
  /**
   * Confirms the session of a token by the password that {@link register} gave; whom the token
   * stands for then.
   */
  confirm(token: string, password?: string): Promise<Principal>
}

/** What a route's handler answered. */
export interface CalledRoute {
  readonly status: number
  readonly json: unknown
  /** `Set-Cookie`, where it was given. */
  readonly cookie: string | undefined
}

export interface SignedInBody {
  readonly access_token: string
  readonly token_type: string
  readonly expires_in: number
  readonly user: Readonly<Record<string, unknown>> & { readonly id: string }
}

/** Opens accounts, over a store of their own or one that is there. */
export async function openAuthUnderTest(
  overrides: Partial<AuthDependencies> & { readonly store?: TestStore } = {},
): Promise<AuthUnderTest> {
  const { store = await openTestStore({ collections: authCollections }), ...dependencies } = overrides
  const clock = createControlledClock()
  const log = createRecordingLog()
  const contributions = new ContributionRegistry(clock, log)
  contributions.settle()
  const auth = await openAuth({
    database: store.database,
    kernelDatabase: store.kernelDatabase,
    cipher: fakeCipher,
    clock,
    log,
    resources: { list: async () => [], read: async () => 'password1\nqwertyuiop\n' },
    settings: authSettingsUnderTest,
    signInPolicy: { singleSignOn: false, localSignIn: true },
    crossSite: false,
    cookiePath: '/',
    audit: createAuditLog({ database: store.database, clock }),
    contributions,
    usersFolder: '/nowhere',
    policies: permitAll,
    urls: { api: (path) => `http://localhost:3001${path}`, page: (path) => `http://localhost:3001${path}` },
    signal: new AbortController().signal,
    timezone: 'Europe/Vienna',
    issuer: () => 'http://localhost:3001',
    passwordCost: cheapCost,
    ...dependencies,
  })

  const call = async (operationId: string, request: Partial<RouteRequest> = {}): Promise<CalledRoute> => {
    const route = auth.routes.find((candidate) => candidate.operationId === operationId)
    if (!route) throw new Error(`There is no route ${operationId}.`)
    if (route.body?.kind === 'json') assertValid(route, 'body', validate(route.body.schema, request.body))
    const answer = await route.handle({ ...requestOf(route), ...request })
    const cookie = answer.headers?.['set-cookie']
    if (answer.kind === 'empty') return { status: answer.status, json: undefined, cookie }
    if (answer.kind !== 'json') throw new Error(`${operationId} did not answer with JSON.`)
    const schema = route.answers[answer.status]?.schema
    if (!schema) throw new Error(`${operationId} answered with an undocumented ${answer.status}.`)
    assertValid(route, 'answer', validate(schema, answer.json))
    return { status: answer.status, json: answer.json, cookie }
  }

  const principalOf = async (token: string): Promise<Principal> => {
    const authentication = await auth.authenticator.authenticate({ bearer: token, cookies: {} })
    if (!authentication) throw new Error('Nobody was proven.')
    authentication.release()
    return authentication.principal
  }

  return {
    ...auth,
    clock,
    log,
    store,
    call,
    async register(username, more = {}) {
      const { json } = await call('register', { body: { username, password: passwordOf(username), ...more }, loopback: true })
      return json as SignedInBody
    },
    principal: principalOf,
    async confirm(token, password) {
      const principal = await principalOf(token)
      await call('confirmSession', { principal, body: { password: password ?? passwordOf(principal.username) } })
      return principalOf(token)
    },
  }
}

const passwordOf = (username: string): string => `${username.slice(0, 3)}-secret-1`

function assertValid(route: HttpRoute, what: string, problems: readonly unknown[]): void {
  if (problems.length > 0) throw new Error(`The ${what} of ${route.operationId} does not fit its schema: ${JSON.stringify(problems)}`)
}

const requestOf = (route: HttpRoute): RouteRequest => ({
  method: route.method,
  path: route.path,
  params: {},
  query: {},
  headers: {},
  body: undefined,
  requestId: 'request-1',
  address: '192.0.2.7',
  loopback: false,
  signal: new AbortController().signal,
})

/** The code of the error that a promise ends with; fails when it does not. */
export async function codeOf(promise: Promise<unknown>): Promise<string> {
  try {
    await promise
  } catch (error) {
    const code = (error as { readonly code?: unknown }).code
    if (typeof code === 'string') return code
    throw error
  }
  throw new Error('It succeeded.')
}
