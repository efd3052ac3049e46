import type { Contribution, ContributionPoint } from '../core/contribution-point.js'
import { createDisposableScope, type DisposableScope } from '../core/disposable-scope.js'
import { defineError } from '../core/errors.js'
import type { LogFields, Logger } from '../core/logger.js'
import type { PluginContext } from '../core/plugin-context.js'
import { type ServiceConsumer, type ServicePerPlugin, serviceFor } from '../core/service-per-plugin.js'
import type { ServiceReference } from '../core/service-reference.js'
import { createStoppingHooks } from '../core/stopping-hooks.js'

/** A plugin asked the test context for a service that the test did not give it. */
export const serviceNotGivenError = defineError<{ readonly service: string }>({
  code: 'service_not_given',
  status: 500,
  title: 'Service not given',
  message: ({ service }) =>
    `The plugin uses “${service}”, which the test did not give. Pass it in createTestContext({ services: [[reference, fake]] }).`,
})

/** A line that the plugin logged. */
export interface RecordedLine {
  /** How loud it was. */
  readonly level: 'debug' | 'info' | 'warn' | 'error'
  /** As the plugin gave it; nothing is redacted. */
  readonly message: string
  /** Those of the call and of the log that it was made on. */
  readonly fields: LogFields
}

/** What a test hands in, all of it optional. */
export interface TestContextOptions<Configuration> {
  /** Default `plugin-under-test`. */
  readonly pluginId?: string
  /** What the plugin finds in `context.config`, taken as it is: not validated, no defaults filled in. */
  readonly config: Configuration
  /** The services behind the references that the plugin uses. */
  readonly services?: readonly (readonly [ServiceReference<unknown>, unknown])[]
}

/** A context for unit tests of a plugin: a real scope, recording fakes, no plugin host. */
export interface TestContext<Configuration> {
  /** What `setup` is called with. */
  readonly context: PluginContext<Configuration>
  /** Holds what the plugin handed to `onDispose` and `onStopping`; its `holdings` show what is still open. */
  readonly scope: DisposableScope
  /** What was contributed to a point so far. */
  contributed<T extends Contribution>(point: ContributionPoint<T>): readonly T[]
  /** What was provided under a reference, as `consumer` gets it (default: the plugin `consumer-under-test`), or undefined. */
  provided<T>(reference: ServiceReference<T>, consumer?: ServiceConsumer): T | undefined
  /** What the plugin logged so far, oldest first. */
  readonly lines: readonly RecordedLine[]
  /** Tells the plugin that it is about to stop: runs what it handed to `onStopping`, once. Throws when one of the hooks failed. */
  announceStop(): Promise<void>
  /** Ends the plugin's life: tells it where that was not done, aborts its signal and runs its disposers. Throws when one of them failed. */
  dispose(): Promise<void>
}

/**
 * Makes a context for one plugin under test.
 *
 * @example
 * const test = createTestContext({ config: { sides: 6 } })
 * await plugin.setup(test.context)
 * const [dice] = test.contributed(tools)
 * await test.dispose()
 */
export function createTestContext<Configuration>(options: TestContextOptions<Configuration>): TestContext<Configuration> {
  const pluginId = options.pluginId ?? 'plugin-under-test'
  const scope = createDisposableScope({ name: pluginId })
  const stopping = createStoppingHooks(scope)
  let announced = false
  const contributions: { readonly point: string; readonly value: Contribution }[] = []
  const services = new Map((options.services ?? []).map(([reference, service]) => [reference.id, service]))
  const provisions = new Map<string, unknown>()
  const lines: RecordedLine[] = []

  function use<T>(reference: ServiceReference<T>): T
  function use<T>(reference: ServiceReference<T>, useOptions: { readonly optional: true }): T | undefined
  function use<T>(reference: ServiceReference<T>, useOptions?: { readonly optional: true }): T | undefined {
    if (services.has(reference.id)) return services.get(reference.id) as T
    if (useOptions?.optional) return undefined
    throw serviceNotGivenError.create({ service: reference.id })
  }

  const throwTogether = (errors: readonly Error[]): void => {
    if (errors.length > 0) throw new AggregateError(errors, `Plugin “${pluginId}” stopped with ${errors.length} error(s).`)
  }

  const context: PluginContext<Configuration> = Object.freeze({
    pluginId,
    config: options.config,
    log: recordingLogger(lines, {}),
    signal: scope.signal,
    contribute<T extends Contribution>(point: ContributionPoint<T>, value: T) {
      contributions.push({ point: point.id, value })
    },
    provide<T>(reference: ServiceReference<T>, service: T | ServicePerPlugin<T>) {
      provisions.set(reference.id, service)
    },
    use,
    onStopping: (hook: () => void | Promise<void>) => stopping.add(hook),
    onDispose: (dispose: () => void | Promise<void>) => scope.add('onDispose', dispose),
  })

  return {
    context,
    scope,
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
