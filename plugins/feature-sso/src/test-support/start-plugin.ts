import { type DoctorFinding, doctorChecks } from '@agent-service/sdk/contracts/doctor-check'
import type { HttpRoute, RouteRequest, RouteResponse } from '@agent-service/sdk/contracts/http-route'
import { httpRoutes } from '@agent-service/sdk/contracts/http-route'
import { type Clock, clockService } from '@agent-service/sdk/services/clock'
import { databaseService } from '@agent-service/sdk/services/database'
import {
  type ExternalConfirmationOptions,
  type ExternalHandOver,
  type ExternalIdentity,
  type ExternalSignIn,
  type ExternalSignInOptions,
  externalSignInService,
} from '@agent-service/sdk/services/external-sign-in'
import { notificationsService } from '@agent-service/sdk/services/notifications'
import { type Seals, sealsService } from '@agent-service/sdk/services/seals'
import { urlService } from '@agent-service/sdk/services/urls'
import { createFakeNotifications, createMemoryDatabase, createTestContext } from '@agent-service/sdk/testing'
import type { SsoSection } from '../configuration/sso-section.js'
import plugin from '../index.js'
import { methodsCollection } from '../provider/working-method.js'

const defaults = {
  ...{ enabled: true, client_id: 'client', scopes: 'openid email', disable_local_auth: false, token_endpoint_auth_method: 'auto' as const },
  ...{ signups_match_email: true, allow_unknown_email_verification: true, client_cache_expiration: 0 },
}

/** Seals that are readable and contain their purpose. */
const openSeals: Seals = {
  seal: async (text, purpose) => Buffer.from(JSON.stringify({ text, purpose })).toString('base64url'),
  async open(sealed, purpose) {
    const found = JSON.parse(Buffer.from(sealed, 'base64url').toString()) as { readonly text: string; readonly purpose: string }
    return found.purpose === purpose ? found.text : undefined
  },
}

/** The plugin with its routes, beside fakes of the kernel's services. */
export interface StartedPlugin {
  readonly routes: readonly HttpRoute[]
  /** What `agent-service doctor` shows of it. */
  examine(): Promise<readonly DoctorFinding[]>
  readonly lines: readonly { readonly level: string; readonly message: string; readonly fields: object }[]
  readonly signedIn: { readonly identity: ExternalIdentity; readonly options: ExternalSignInOptions }[]
  readonly confirmed: { readonly identity: ExternalIdentity; readonly options: ExternalConfirmationOptions }[]
  /** The error that the kernel throws instead of signing in or confirming. */
  refusal: Error | undefined
  /** What the kernel says of the account, once it was handed over. */
  handOver: ExternalHandOver | undefined
  readonly notifications: ReturnType<typeof createFakeNotifications>
  /** Advances the clock, in milliseconds. */
  pass(milliseconds: number): void
  login(query?: Readonly<Record<string, string | boolean>>, request?: Partial<RouteRequest>): Promise<RouteResponse>
  callback(
    query: Readonly<Record<string, string>>,
    cookies?: Readonly<Record<string, string>>,
    request?: Partial<RouteRequest>,
  ): Promise<RouteResponse>
  dispose(): Promise<void>
}

/** Starts the plugin with these settings. */
export async function startPlugin(
  settings: Partial<SsoSection>,
  database = createMemoryDatabase([methodsCollection]),
): Promise<StartedPlugin> {
  let now = 1_700_000_000_000
  const clock: Clock = { now: () => now, monotonic: () => now, after: () => () => undefined, wait: async () => undefined }
  const signedIn: StartedPlugin['signedIn'] = []
  const confirmed: StartedPlugin['confirmed'] = []
  const signIn: ExternalSignIn = {
    async confirm(identity, options) {
      if (started.refusal) throw started.refusal
      confirmed.push({ identity, options })
    },
    async signIn(identity, options) {
      if (started.refusal) throw started.refusal
      signedIn.push({ identity, options })
      const answer = { userId: 'user', refreshCookie: 'refresh_token=token; Path=/' }
      return started.handOver ? { ...answer, handOver: started.handOver } : answer
    },
  }
  const notifications = createFakeNotifications()
  const test = createTestContext<unknown>({
    pluginId: 'feature-sso',
    config: { sso: { ...defaults, ...settings } },
    services: [
      [clockService, clock],
      [databaseService, database],
      [sealsService, openSeals],
      [externalSignInService, signIn],
      [notificationsService, notifications],
      [urlService, { api: (path: string) => `https://api.example/back${path}`, page: (path: string) => `https://pages.example${path}` }],
    ],
  })
  await plugin.setup(test.context)
  const routes = test.contributed(httpRoutes)

  const call = (operationId: string, request: Partial<RouteRequest>): Promise<RouteResponse> => {
    const route = routes.find((candidate) => candidate.operationId === operationId)
    if (!route) throw new Error(`The route ${operationId} does not exist.`)
    return route.handle({
      ...{ method: 'GET', path: route.path, params: {}, query: {}, body: undefined, requestId: 'request', address: '192.0.2.7' },
      ...{ headers: { accept: 'text/html,*/*', 'user-agent': 'browser' }, loopback: false, signal: new AbortController().signal },
      ...request,
    })
  }
  const started: StartedPlugin = {
    routes,
    async examine() {
      const [check] = test.contributed(doctorChecks)
      return (await check?.run({ signal: new AbortController().signal }))?.findings ?? []
    },
    lines: test.lines,
    signedIn,
    confirmed,
    refusal: undefined,
    handOver: undefined,
    notifications,
    pass(milliseconds) {
      now += milliseconds
    },
    login: (query = {}, request = {}) => call('beginSingleSignOn', { query, ...request }),
    callback: (query, cookies = {}, request = {}) => call('completeSingleSignOn', { query, cookies, ...request }),
    dispose: () => test.dispose(),
  }
  return started
}

/** A sign-in that has begun: the address at the provider, and the cookies of the browser. */
export function readLogin(response: RouteResponse) {
  const location = new URL(response.headers?.['location'] ?? 'none:')
  const cookies = Object.fromEntries((response.cookies ?? []).flatMap(({ name, value }) => (value === '' ? [] : [[name, value]])))
  const { state = '', nonce = '' } = Object.fromEntries(location.searchParams)
  return { location, cookies, state, nonce }
}

/** Status and error code of a page. */
export function pageOf(response: RouteResponse): string {
  const text = response.kind === 'bytes' ? Buffer.from(response.bytes).toString() : ''
  return `${response.status} ${/<small>(\w+)<\/small>/.exec(text)?.[1] ?? ''}`.trim()
}
