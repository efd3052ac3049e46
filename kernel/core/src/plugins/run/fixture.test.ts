import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import {
  type Contribution,
  defineContributionPoint,
  type JsonObject,
  type LogFields,
  type Logger,
  type PluginManifest,
  type RecordedSetup,
} from '@agent-service/sdk'
import type { SchedulerJob } from '@agent-service/sdk/contracts/scheduler-job'
import { contractPoints, type KnownPoints, knownPointsOf } from '@agent-service/sdk/host'
import type { Clock } from '@agent-service/sdk/services/clock'
import type { Database } from '@agent-service/sdk/services/database'
import { type ControlledClock, createControlledClock } from '../../clock/testing/controlled-clock.js'
import type { RouteOwner, RouteTable } from '../../http/route-table.js'
import { createDispatchTable } from '../../http/routing/dispatch-table.js'
import type { StateDocument, StateDocuments } from '../../state-documents/index.js'
import { ContributionRegistry } from '../contributions/contribution-registry.js'
import { discoverPlugins } from '../discover/discover-plugins.js'
import { type OrderDocument, orderName, orderSchema } from '../seniority/plugin-order.js'
import type { PluginSurroundings } from '../start/plugin-environment.js'
import { PluginHost, type PluginSettings } from './plugin-host.js'
import type { PluginState } from './plugin-report.js'

/** A point that stands for any other one. */
const thing = defineContributionPoint<Contribution & { readonly id: string }>({
  ...{ id: 'thing', cardinality: 'many', specVersions: [1] },
  keyOf: ({ id }) => id,
})
const testPoints: KnownPoints = new Map([...contractPoints, ...knownPointsOf([{ point: thing }])])

/** The compiled SDK, for plugins on disk that are not inside a node_modules. */
export const sdkUrl = import.meta.resolve('@agent-service/sdk')

/** The channel between plugins on disk and the test: plugins find it at `globalThis.pluginTest`. */
export interface Recorder {
  readonly events: string[]
  /** Values of the test for plugins, such as gates to wait at. */
  readonly shared: Map<string, unknown>
  note(event: string): void
  /** Resolves once the event has been noted. */
  noted(event: string): Promise<void>
}

export function createRecorder(): Recorder {
  const events: string[] = []
  const waiting = new Map<string, () => void>()
  const recorder: Recorder = {
    events,
    shared: new Map(),
    note(event) {
      events.push(event)
      waiting.get(event)?.()
    },
    noted: (event) => (events.includes(event) ? Promise.resolve() : new Promise((resolve) => waiting.set(event, resolve))),
  }
  Object.assign(globalThis, { pluginTest: recorder })
  return recorder
}

export interface PluginFiles {
  readonly manifest: Partial<PluginManifest> & { readonly id: string }
  /** The body of `setup(context)`; `sdk`, `test`, `point`, `ref` and `route` are in scope. */
  readonly setup?: string
  /** Text before `definePlugin`. */
  readonly head?: string
  readonly collections?: string
  /** The code's description of the plugin, if it should differ from the manifest. */
  readonly codeManifest?: object
  /** What a build would have recorded of it, in `plugin.json` alone. */
  readonly recorded?: RecordedSetup
  /** Replaces the text of `plugin.json`. */
  readonly json?: string
  /** Replaces the text of the entry. */
  readonly code?: string
  readonly sdk?: string
}

/** A folder for plugins, like that of an installation. */
export interface PluginTree {
  readonly root: string
  readonly builtIn: string
  /** Writes `built-in/<folder>`, by default named like the id. */
  write(files: PluginFiles, folder?: string): Promise<string>
  remove(): Promise<void>
}

export async function createPluginTree(): Promise<PluginTree> {
  const root = await realpath(await mkdtemp(path.join(os.tmpdir(), 'plugins-')))
  const builtIn = path.join(root, 'built-in')
  await mkdir(builtIn)
  return {
    root,
    builtIn,
    write: async (files, folder = path.join(builtIn, files.manifest.id)) => {
      await mkdir(path.join(folder, 'dist'), { recursive: true })
      const manifest = { apiVersion: 1, ...files.manifest }
      const file = {
        ...manifest,
        version: '1.0.0',
        ...(manifest.stage === 'declared' ? {} : { entry: './index.js', ...(files.recorded && { recorded: files.recorded }) }),
      }
      await writeFile(
        path.join(folder, 'package.json'),
        JSON.stringify({ type: 'module', version: '1.0.0', agentService: { plugin: './dist/plugin.json' } }),
      )
      await writeFile(path.join(folder, 'dist/plugin.json'), files.json ?? JSON.stringify(file))
      if (manifest.stage !== 'declared') await writeFile(path.join(folder, 'dist/index.js'), files.code ?? entryText(files, manifest))
      return folder
    },
    remove: () => rm(root, { recursive: true, force: true }),
  }
}

const entryText = (files: PluginFiles, manifest: object): string => `
import * as sdk from ${JSON.stringify(files.sdk ?? sdkUrl)}
const test = globalThis.pluginTest
const point = (id, keyOf = (value) => value.id) => sdk.defineContributionPoint({ id, cardinality: 'many', specVersions: [1], keyOf })
const ref = (id) => sdk.defineServiceReference(id)
const route = (path, handle = async () => ({ status: 204, kind: 'empty' })) => ({
  specVersion: 1, method: 'GET', path, operationId: 'read' + path.replaceAll(/[^a-z]/g, ''), summary: 'Reads.', auth: 'public', answers: { 204: { description: 'Nothing.' } }, handle,
})
${files.head ?? ''}
export default sdk.definePlugin({
  manifest: ${JSON.stringify(files.codeManifest ?? manifest)},
  collections: ${files.collections ?? '[]'},
  async setup(context) {
    test.note(${JSON.stringify(`${files.manifest.id} setup`)})
    context.onDispose(() => test.note(${JSON.stringify(`${files.manifest.id} disposed`)}))
    ${files.setup ?? ''}
  },
})
`

/**
 * State documents in memory; a second host with the same documents reads what the first one wrote.
 */
export function createMemoryDocuments(): StateDocuments {
  const values = new Map<string, JsonObject>()
  return {
    async open<Value extends JsonObject>({
      name,
      initial,
    }: {
      readonly name: string
      readonly initial: Value
    }): Promise<StateDocument<Value>> {
      const read = (): Value => (values.get(name) ?? initial) as Value
      return {
        read,
        async update(change) {
          const next = change(read())
          values.set(name, next)
          return next
        },
      }
    },
  }
}

/** The server's own route table, with the owners' leases as the server takes them. */
export interface TestRoutes extends RouteTable {
  owners(): readonly RouteOwner[]
}

export function createTestRoutes(): TestRoutes {
  const table = createDispatchTable()
  const owners = new Set<RouteOwner>()
  return {
    add(route, owner) {
      const remove = table.add(route, owner)
      owners.add(owner)
      return async () => {
        owners.delete(owner)
        await remove()
      }
    },
    addWebSocket: table.addWebSocket,
    addSite: table.addSite,
    addErrorFormat: table.addErrorFormat,
    list: () => table.list(),
    owners: () => [...owners],
  }
}

export interface LogLine {
  readonly level: string
  readonly message: string
  readonly fields: LogFields
}

export function createMemoryLog(lines: LogLine[], bound: LogFields = {}): Logger {
  const at =
    (level: string) =>
    (message: string, fields: LogFields = {}): void =>
      void lines.push({ level, message, fields: { ...bound, ...fields } })
  return {
    debug: at('debug'),
    info: at('info'),
    warn: at('warn'),
    error: at('error'),
    child: (fields) => createMemoryLog(lines, { ...bound, ...fields }),
  }
}

/** A host that starts with the surroundings of the test. */
class TestPluginHost extends PluginHost {
  surroundings: PluginSurroundings | undefined

  override start(surroundings = this.surroundings): ReturnType<PluginHost['start']> {
    if (surroundings === undefined) throw new TypeError('The host has no surroundings.')
    return super.start(surroundings)
  }
}

export interface TestHost {
  readonly host: TestPluginHost
  readonly clock: ControlledClock
  readonly contributions: ContributionRegistry
  readonly routes: TestRoutes
  readonly jobs: Map<string, SchedulerJob>
  readonly lines: LogLine[]
  readonly opened: string[]
  state(id: string): PluginState | undefined
  reason(id: string): string | null | undefined
}

export type TestHostOptions = Partial<
  PluginSettings &
    PluginSurroundings & { readonly stateDocuments: StateDocuments; readonly clock: Clock; readonly sources: readonly string[] }
>

/** The real host over real folders, with its surroundings in memory. */
export async function createTestHost(tree: PluginTree, options: TestHostOptions = {}): Promise<TestHost> {
  const {
    sources = [],
    stateDocuments = createMemoryDocuments(),
    scheduler,
    openDatabase,
    kernelServices,
    clock: ownClock,
    ...settings
  } = options
  const lines: LogLine[] = []
  const opened: string[] = []
  const jobs = new Map<string, SchedulerJob>()
  const clock = createControlledClock()
  const log = createMemoryLog(lines)
  const contributions = new ContributionRegistry(clock, log)
  const routes = createTestRoutes()
  const redactor = {
    protect: () => undefined,
    text: (text: string) => text.replaceAll('hunter22', '•••'),
    fields: (value: unknown) => value,
  }
  const stored = await stateDocuments.open<OrderDocument>({ name: orderName, schema: orderSchema, initial: { plugins: [] } })
  const { plugins: order } = stored.read()
  const host = new TestPluginHost(
    await discoverPlugins({ builtInFolder: tree.builtIn, sources, installFolder: tree.root, order }),
    { configurationOf: () => ({}), required: [], disabled: [], slots: [], knownPoints: testPoints, ...settings },
    stateDocuments,
    ownClock ?? clock,
    log,
    redactor,
    contributions,
    routes,
  )
  host.surroundings = {
    scheduler: scheduler ?? {
      add(job) {
        jobs.set(job.id, job)
        return () => void jobs.delete(job.id)
      },
    },
    openDatabase:
      openDatabase ??
      (async ({ id }, definitions) => {
        opened.push(...definitions.map(({ name }) => `${id}:${name}`))
        return {} as Database
      }),
    kernelServices: kernelServices ?? new Map(),
  }
  const find = (id: string) => host.report().find((report) => report.id === id)
  return { host, clock, contributions, routes, jobs, lines, opened, state: (id) => find(id)?.state, reason: (id) => find(id)?.reason }
}
