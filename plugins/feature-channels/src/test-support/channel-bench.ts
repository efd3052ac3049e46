import type { JsonObject } from '@agent-service/sdk'
import { channels } from '@agent-service/sdk/contracts/channel'
import type { Principal } from '@agent-service/sdk/contracts/http-route'
import { type Database, databaseService } from '@agent-service/sdk/services/database'
import { notificationsService } from '@agent-service/sdk/services/notifications'
import { type Runs, runsService, type StartRunRequest } from '@agent-service/sdk/services/runs'
import { shareLinksService } from '@agent-service/sdk/services/share-links'
import {
  createFakeNotifications,
  createFakeRuns,
  createMemoryDatabase,
  createTestContext,
  eventually,
  type FakeNotifications,
  type PluginTestContext,
  testAccount,
  testPrincipal,
} from '@agent-service/sdk/testing'
import plugin from '../index.js'
import { collections } from '../store/collections.js'
import { createTown, type Town } from './town.js'

export const bob: Principal = { ...testPrincipal, userId: 'user-2', username: 'bob', handle: 'bob' }
export const admin: Principal = { ...testPrincipal, role: 'admin', scopes: ['read', 'write', 'admin'], sessionId: 's1', confirmed: true }

/** The plugin over fakes in memory, with a vendor that the test plays. */
export interface ChannelBench {
  readonly town: Town
  readonly notifications: FakeNotifications
  readonly database: Database
  readonly started: readonly StartRunRequest[]
  /** Answers that were given to questions. */
  readonly answered: readonly JsonObject[]
  /** Texts that got a share link. */
  readonly shared: readonly string[]
  /** Requests for links to files. */
  readonly sharedFiles: readonly JsonObject[]
  /** Of the present process. */
  host(): PluginTestContext
  /** The JSON of an answer. @throws as the route. */
  request(route: string, request?: Parameters<PluginTestContext['request']>[1]): Promise<JsonObject>
  items(route: string, request?: Parameters<PluginTestContext['request']>[1]): Promise<readonly JsonObject[]>
  /** Makes a connection and waits until it is connected. */
  connect(members?: JsonObject): Promise<string>
  state(id: string): Promise<JsonObject>
  /** The next answer of the agent. */
  say(text: string): void
  /** The run with this number, from 1, ends: its event is delivered. */
  ended(number?: number): Promise<void>
  deliver(name: string, data: JsonObject): Promise<void>
  /** What the vendor got, once there is as much. */
  sent(count: number): Promise<readonly string[]>
  until(what: string, isTrue: () => boolean | Promise<boolean>): Promise<void>
  advance(milliseconds: number): Promise<void>
  /** The process ends without a word, unless it `stops`, and another one begins, so many milliseconds `after`. */
  restart(options?: { readonly stops?: boolean; readonly after?: number }): Promise<void>
  close(): Promise<void>
}

export async function openBench(
  options: {
    readonly town?: Town
    readonly retry?: JsonObject
    readonly wrapRuns?: (runs: Runs) => Runs
    readonly hasLinks?: boolean
  } = {},
): Promise<ChannelBench> {
  const town = options.town ?? createTown()
  const notifications = createFakeNotifications()
  const fakeRuns = createFakeRuns()
  const answered: JsonObject[] = []
  const shared: string[] = []
  const sharedFiles: JsonObject[] = []
  const runs: Runs = {
    ...fakeRuns,
    async answer({ userId, runId, ...answer }) {
      answered.push({ ...answer } as unknown as JsonObject)
      return fakeRuns.get({ userId, runId })
    },
  }
  const link = { id: 'link', contentUrl: 'https://x.test/s/abc', pageUrl: 'https://x.test/p/abc', expiresAt: 0 }
  const links = {
    async shareText({ messages }: { readonly messages: readonly { readonly text: string }[] }) {
      shared.push(messages[0]?.text ?? '')
      return link
    },
    async shareFile(request: object) {
      sharedFiles.push({ ...request } as JsonObject)
      return link
    },
  }
  const database = createMemoryDatabase(collections)
  const retry = { max_retries: 4_294_967_295, initial_backoff_ms: 1_000, backoff_multiplier: 2, max_backoff_ms: 60_000, ...options.retry }
  let closed: PluginTestContext[] = []
  const open = async (now?: number, files: ReadonlyMap<string, Uint8Array> = new Map()): Promise<PluginTestContext> => {
    const host = createTestContext(plugin, {
      config: { channel: { retry } },
      services: [
        ...[[notificationsService, notifications] as const, [databaseService, database] as const],
        [runsService, options.wrapRuns?.(runs) ?? runs] as const,
        ...(options.hasLinks === false ? [] : [[shareLinksService, links] as const]),
      ],
    })
    host.services.accounts.add({ ...testAccount, id: bob.userId, username: 'bob', handle: 'bob' })
    host.services.contributions.add(channels, town.channel)
    for (const [path, bytes] of files) host.services.userFiles.files.set(path, bytes)
    if (now !== undefined) await host.services.clock.advance(now - host.services.clock.now())
    await host.setup()
    return host
  }
  let host = await open()
  const request: ChannelBench['request'] = async (route, given) => {
    const response = await host.request(route, given)
    return response.kind === 'json' ? (response.json as JsonObject) : {}
  }
  const state = (id: string) => request('GET /api/channels/connections/{connection_id}', { params: { connection_id: id } })
  const bench: ChannelBench = {
    ...{ town, notifications, database, answered, shared, sharedFiles, request, state },
    get started() {
      return fakeRuns.started
    },
    host: () => host,
    items: async (route, given) => (await request(route, given))['items'] as readonly JsonObject[],
    async connect(members) {
      const before = town.sessions.length
      const { id } = await request('POST /api/channels/connections', {
        body: { channel: 'town', title: 'Town bot', members: { place: 'here', token: 'town-secret-1' }, ...members },
      })
      await bench.until('a session', () => town.sessions.length > before)
      await bench.until('the state', async () => (await state(String(id)))['state'] === 'connected')
      return String(id)
    },
    say: (text) => fakeRuns.say(text),
    async ended(number = fakeRuns.started.length) {
      const asked = fakeRuns.started[number - 1]
      await bench.deliver('run.completed', { chat_id: 'chat', run_id: `run-${number}`, reports_to: { ...asked?.reportsTo } })
    },
    async deliver(name, data) {
      const at = { id: `event-${name}-${JSON.stringify(data).length}`, recordedAt: '2026-01-01T00:00:00.000Z', attempt: 1 }
      await host.services.events.deliver({ kind: 'event', userId: testAccount.id, name, data, ...at })
    },
    async sent(count) {
      await bench.until(`${count} sent messages`, () => town.sent.length >= count)
      return town.sent.map(({ text }) => text)
    },
    async until(what, isTrue) {
      await eventually(isTrue, { what: () => ({ missing: what, log: host.lines.slice(-5) }) })
    },
    advance: (milliseconds) => host.services.clock.advance(milliseconds),
    async restart({ stops = false, after = 0 } = {}) {
      const now = host.services.clock.now() + after

      if (stops) await host.dispose()
      else closed = [...closed, host]
      host = await open(now, host.services.userFiles.files)
    },
    async close() {
      await Promise.all([host, ...closed].map((each) => each.dispose()))
    },
  }
  return bench
}

/** The code of the error of a rejected promise; fails if it resolves. */
export async function codeOf(promise: Promise<unknown>): Promise<string> {
  try {
    await promise
  } catch (error) {
    return String((error as { readonly code?: string }).code)
  }
  throw new Error('The promise was not rejected.')
}
