import { createArgumentCheck } from '../admission/argument-check.js'
import { createPluginUserFiles } from '../admission/plugin-user-files.js'
import { httpRoutes } from '../contracts/http-route/point.js'
import type { RouteResponse } from '../contracts/http-route/route.js'
import { tools } from '../contracts/tool/point.js'
import type { ToolContext, ToolResult } from '../contracts/tool/tool.js'
import type { Contribution, ContributionPoint } from '../core/contribution-point.js'
import { createDisposableScope, type DisposableScope } from '../core/disposable-scope.js'
import { defineError } from '../core/errors.js'
import type { JsonObject } from '../core/json.js'
import type { LogFields, Logger } from '../core/logger.js'
import { type ServiceConsumer, serviceFor } from '../core/service-per-plugin.js'
import type { ServiceReference } from '../core/service-reference.js'
import { createStoppingHooks } from '../core/stopping-hooks.js'
import { checkManifest } from '../manifest/check-manifest.js'
import type { PluginManifest } from '../manifest/plugin-manifest.js'
import type { UseOptions } from '../plugin/declared.js'
import { isPlugin, type Plugin } from '../plugin/define-plugin.js'
import type { PluginContext } from '../plugin/plugin-context.js'
import { type UserFiles, userFilesService } from '../services/user-files.js'
import { createTestServices, servicesById, type TestServices } from './fakes/test-services.js'
import { callRoute, type TestRequest } from './plugin-test/call-route.js'
import { callTool } from './plugin-test/call-tool.js'
import { createDeclaredSetup, type DeclaredSetup } from './plugin-test/declared-setup.js'
import { configurationFor } from './plugin-test/plugin-configuration.js'

/** A plugin asked the test context for a service that the test did not give it. */
export const serviceNotGivenError = defineError<{ readonly service: string }>({
  code: 'service_not_given',
  status: 500,
  title: 'Service not given',
  message: ({ service }) =>
    `The plugin uses “${service}”, which the test did not give. Pass it to createTestContext: { services: [[reference, fake]] }.`,
})

/** The manifest of the plugin under test is not valid; `problems` lists each path. */
export const manifestInvalidError = defineError<{ readonly summary: string }>({
  code: 'manifest_invalid',
  status: 500,
  title: 'Manifest invalid',
  message: ({ summary }) => `The manifest is not valid: ${summary}`,
})

/** A line that the plugin logged. */
export interface RecordedLine {
  /** Its level. */
  readonly level: 'debug' | 'info' | 'warn' | 'error'
  /** As the plugin logged it; nothing is redacted. */
  readonly message: string
  /** The fields of the call and of its child log. */
  readonly fields: LogFields
}

/** Services that a test passes, by their references. */
export type GivenServices = readonly (readonly [ServiceReference<unknown>, unknown])[]

/** Options of a test context without a manifest. */
export interface TestContextOptions<Configuration> {
  /** Default `plugin-under-test`. */
  readonly pluginId?: string
  /** The value of `context.config`, unchanged: not validated, no defaults filled in. */
  readonly config: Configuration
  /** The services behind the references that the plugin uses. Default: none. */
  readonly services?: GivenServices
}

/** Options of a test context for a plugin. */
export interface PluginTestOptions {
  /**
   * Its settings, as an operator writes them; defaults are filled in. For a plugin that owns
   * sections: one member for each section.
   */
  readonly config?: unknown
  /** Services that replace the fakes, and services without a fake. */
  readonly services?: GivenServices
}

/** A context for unit tests: a real scope, recording fakes, no plugin host. */
export interface TestContext<Configuration> {
  /** The context that `setup` is called with. */
  readonly context: PluginContext<Configuration>
  /**
   * The scope with the plugin's `onDispose` and `onStopping` hooks; its `holdings` list what is
   * still open.
   */
  readonly scope: DisposableScope
  /** The contributions to a point so far. */
  contributed<T extends Contribution>(point: ContributionPoint<T>): readonly T[]
  /**
   * The service provided under a reference, as `consumer` gets it (default: the plugin
   * `consumer-under-test`), or undefined.
   */
  provided<T>(reference: ServiceReference<T>, consumer?: ServiceConsumer): T | undefined
  /** The plugin's log lines so far, oldest first. */
  readonly lines: readonly RecordedLine[]
  /**
   * Runs the plugin's `onStopping` hooks, once, as the host does before it stops the plugin. Throws
   * when one of them failed.
   */
  announceStop(): Promise<void>
  /**
   * Stops the plugin: runs its `onStopping` hooks if they did not run, aborts its signal and
   * runs its disposers. Throws when one of them failed.
   */
  dispose(): Promise<void>
}

/** A plugin under test, checked against its manifest as the host does. */
export interface PluginTestContext extends TestContext<unknown> {
  /** The fakes that the plugin uses unless the test passes others. */
  readonly services: TestServices
  /**
   * Runs the plugin's `setup`. @throws what it throws, `plugin_undeclared` even if it caught that,
   * `contribution_invalid`, and `service_not_provided`; everything is undone then.
   */
  setup(): Promise<void>
  /**
   * Calls one of its tools as an agent does. @throws `tool_input_invalid`, and what the tool
   * throws.
   */
  call(tool: string, input: JsonObject, context?: Partial<ToolContext>): Promise<ToolResult>
  /**
   * Calls one of its routes, named `GET /api/…` as in the contribution, as the host does. @throws
   * as `callRoute`.
   */
  request(route: string, request?: TestRequest): Promise<RouteResponse>
}

/**
 * Makes a context for a test. With a plugin its manifest is checked, defaults of its settings are
 * filled in, the kernel's services are fakes in memory, and `setup` is checked against the
 * manifest. Without one it is a bare context.
 *
 * @example
 * const test = createTestContext(plugin, { config: { sides: 6 } })
 * await test.setup()
 * const { content } = await test.call('roll_dice', { count: 3 })
 * await test.dispose()
 *
 * @throws `manifest_invalid`, `configuration_invalid`.
 */
export function createTestContext(plugin: Plugin, options?: PluginTestOptions): PluginTestContext
/**
 * Makes a bare context without a manifest: the configuration as it is given, and only the services
 * that the test passes.
 */
export function createTestContext<Configuration>(options: TestContextOptions<Configuration>): TestContext<Configuration>
export function createTestContext(first: Plugin | TestContextOptions<unknown>, options?: PluginTestOptions): TestContext<unknown> {
  return isPlugin(first) ? createPluginTest(first, options ?? {}) : createBareContext(first)
}

/** What a trial changes of the services that a plugin under test gets. */
export interface TrialHooks {
  /** The service that the plugin gets for one that it is given. */
  readonly given?: (id: string, service: unknown) => unknown
  /** The service that it gets for one that has no fake; undefined if it gets none. */
  readonly missing?: (id: string) => unknown
}

/** As {@link createTestContext}, with another judge of the setup. */
export function createPluginTest(
  plugin: Plugin,
  { config, services = [] }: PluginTestOptions,
  declared: DeclaredSetup = createDeclaredSetup(plugin.manifest),
  { given = (_, service) => service, missing }: TrialHooks = {},
): PluginTestContext {
  const check = checkManifest(plugin.manifest)
  if ('problems' in check) {
    const summary = check.problems.map(({ path, message }) => `${path} ${message}`).join('; ')
    throw manifestInvalidError.create({ summary }, { problems: check.problems })
  }
  const { manifest } = check
  const fakes = createTestServices(plugin.collections)
  const offered = new Map<string, unknown>([
    ...[...servicesById(fakes)].filter(([id]) => isOffered(manifest, id)),
    ...services.map(([{ id }, service]) => [id, service] as const),
  ])
  const files = offered.get(userFilesService.id) as UserFiles
  offered.set(userFilesService.id, createPluginUserFiles({ files, plugins: [{ id: manifest.id, manifest }], pluginId: manifest.id }))
  const test = createBareContext(
    {
      pluginId: manifest.id,
      config: configurationFor(manifest, config),
      services: [...offered].map(([id, service]) => [{ id }, given(id, service)] as const),
    },
    declared,
    missing,
  )
  const contributed = <T extends Contribution>(point: ContributionPoint<T>, key: string): T => {
    const all = test.contributed(point)
    const found = all.find((each) => point.keyOf(each) === key)
    if (found) return found
    const known = all.map((each) => point.keyOf(each)).join(', ') || 'nothing'
    throw new Error(`The plugin contributed no “${key}” to ${point.id}, but ${known}.`)
  }
  return {
    ...test,
    services: fakes,
    async setup() {
      try {
        const undo = await plugin.setup(test.context)
        if (typeof undo === 'function') test.scope.add('setup', undo)
        test.finish()
      } catch (error) {
        await test.scope.dispose(error)
        throw error
      }
    },
    call: async (tool, input, context) => callTool(contributed(tools, tool), input, context),
    request: async (route, request) => callRoute(contributed(httpRoutes, route), request),
  }
}

/**
 * A required service of another plugin gets a fake; an optional one is absent unless the test
 * passes it.
 */
const isOffered = ({ requires = [] }: PluginManifest, id: string): boolean => id.startsWith('kernel.') || requires.includes(id)

function createBareContext<Configuration>(
  options: TestContextOptions<Configuration>,
  declared?: DeclaredSetup,
  missing?: TrialHooks['missing'],
): TestContext<Configuration> & { finish(): void } {
  const pluginId = options.pluginId ?? 'plugin-under-test'
  const scope = createDisposableScope({ name: pluginId })
  const stopping = createStoppingHooks(scope)
  let announced = false
  const contributions: { readonly point: string; readonly value: Contribution }[] = []
  const services = new Map((options.services ?? []).map(([reference, service]) => [reference.id, service]))
  const provisions = new Map<string, unknown>()
  const lines: RecordedLine[] = []

  const check = createArgumentCheck(pluginId, (error) => {
    declared?.noteViolation(error)
    throw error
  })
  const use = (reference: ServiceReference<unknown>, useOptions?: UseOptions): unknown => {
    check.reference(reference)
    const { mayBeAbsent } = declared?.use(reference, useOptions) ?? { mayBeAbsent: useOptions?.optional === true }
    if (services.has(reference.id)) return services.get(reference.id)
    const standIn = missing?.(reference.id)
    if (standIn !== undefined || mayBeAbsent) return standIn
    throw serviceNotGivenError.create({ service: reference.id })
  }

  const throwTogether = (errors: readonly Error[]): void => {
    if (errors.length > 0) throw new AggregateError(errors, `Plugin “${pluginId}” stopped with ${errors.length} error(s).`)
  }

  const context: PluginContext<Configuration> = Object.freeze<PluginContext<Configuration>>({
    pluginId,
    config: options.config,
    log: recordingLogger(lines, {}),
    signal: scope.signal,
    contribute(point, value) {
      check.contribution(point, value)
      declared?.contribute(point as unknown as ContributionPoint<Contribution>, value)
      contributions.push({ point: point.id, value })
    },
    provide(reference, service) {
      check.service(reference, service)
      declared?.provide(reference)
      provisions.set(reference.id, service)
    },
    use: use as PluginContext<Configuration>['use'],
    onStopping(hook) {
      check.callback('onStopping', hook)
      stopping.add(hook)
    },
    onDispose(dispose) {
      check.callback('onDispose', dispose)
      scope.add('onDispose', dispose)
    },
  })

  return {
    context,
    scope,
    finish: () => declared?.finish(),
    contributed: <T extends Contribution>(point: ContributionPoint<T>) =>
      contributions.filter((contribution) => contribution.point === point.id).map((contribution) => contribution.value as T),
    provided: <T>(reference: ServiceReference<T>, consumer: ServiceConsumer = { pluginId: 'consumer-under-test' }) =>
      serviceFor(provisions.get(reference.id), consumer) as T | undefined,
    lines,
    announceStop: async () => {
      announced = true
      throwTogether(await stopping.run())
    },
    dispose: async () => {
      const failed = await stopping.run()
      throwTogether([...(announced ? [] : failed), ...(await scope.dispose())])
    },
  }
}

function recordingLogger(lines: RecordedLine[], inherited: LogFields): Logger {
  const record =
    (level: RecordedLine['level']) =>
    (message: string, fields: LogFields = {}) => {
      lines.push({ level, message, fields: { ...inherited, ...fields } })
    }
  return {
    debug: record('debug'),
    info: record('info'),
    warn: record('warn'),
    error: record('error'),
    child: (fields) => recordingLogger(lines, { ...inherited, ...fields }),
  }
}
