import type { Contribution, ContributionPoint, Logger, PluginContext, PluginManifestFile, ServiceReference } from '@agent-service/sdk'
import {
  createArgumentCheck,
  type DisposableScope,
  pluginSetupOverError,
  pluginUndeclaredError,
  type StoppingHooks,
  serviceFor,
  serviceProvidedTwiceError,
} from '@agent-service/sdk/host'
import type { EndedSetup } from '../contributions/prepare-contributions.js'
import { serviceUnavailableError } from '../plugin-errors.js'

/**
 * Makes the frozen object that `setup` gets. It only records: nothing becomes visible to others
 * before the kernel seals it.
 */
export function createSetupContext(options: {
  readonly manifest: PluginManifestFile
  readonly config: unknown
  readonly log: Logger
  readonly scope: DisposableScope
  readonly stopping: Pick<StoppingHooks, 'add'>
  /** A service of the kernel; `undefined` if it does not exist or may not be used yet. */
  readonly kernelService: (id: string) => unknown
  /** Runs a hook of the plugin: what escapes from it, what it opens and what it changes of the language is attributed to the plugin. */
  readonly runHook: <Result>(work: () => Result) => Result
  /** A service of another plugin. */
  readonly pluginService: (id: string) => { readonly service: unknown } | undefined
}) {
  const { manifest, scope, runHook } = options
  const plugin = manifest.id
  const contributions: { readonly point: ContributionPoint<Contribution>; readonly contribution: Contribution }[] = []
  const services = new Map<string, unknown>()
  let open = true
  const violations: Error[] = []

  const refuse = (error: Error): never => {
    violations.push(error)
    throw error
  }
  const demandSetup = (action: string): void => {
    if (!open) throw pluginSetupOverError.create({ plugin, action })
  }
  const check = createArgumentCheck(plugin, refuse)

  const use = <T>(reference: ServiceReference<T>, useOptions?: { readonly optional: true }): T | undefined => {
    demandSetup('use')
    check.reference(reference)
    const { id } = reference
    const unavailable = (hint: string): Error => serviceUnavailableError.create({ plugin, service: id, hint })
    if (id.startsWith('kernel.')) {
      const service = options.kernelService(id)
      if (service === undefined && useOptions?.optional !== true) throw unavailable('the kernel does not offer it to this plugin')
      return service as T | undefined
    }
    const required = manifest.requires?.includes(id) === true
    if (!required && manifest.optional?.includes(id) !== true) {
      return refuse(
        pluginUndeclaredError.create({ plugin, action: 'use', id, list: useOptions?.optional === true ? 'optional' : 'requires' }),
      )
    }
    const provided = options.pluginService(id)
    if (provided === undefined && required && useOptions?.optional !== true) throw unavailable('no plugin provides it now')
    return provided && (serviceFor(provided.service, { pluginId: plugin }) as T)
  }

  const context: PluginContext = Object.freeze<PluginContext>({
    pluginId: plugin,
    config: options.config,
    log: options.log,
    signal: scope.signal,
    contribute(point, contribution) {
      demandSetup('contribute')
      check.contribution(point, contribution)
      if (manifest.contributes?.includes(point.id) !== true) {
        refuse(pluginUndeclaredError.create({ plugin, action: 'contribute', id: point.id, list: 'contributes' }))
      }
      // The kernel checks contributions by its own copy of the contract; here they are only
      // recorded.
      contributions.push({ point: point as unknown as ContributionPoint<Contribution>, contribution })
    },
    provide(reference, service) {
      demandSetup('provide')
      check.service(reference, service)
      const { id } = reference
      if (manifest.provides?.includes(id) !== true)
        refuse(pluginUndeclaredError.create({ plugin, action: 'provide', id, list: 'provides' }))
      if (services.has(id)) refuse(serviceProvidedTwiceError.create({ plugin, service: id }))
      services.set(id, service)
    },
    use: use as PluginContext['use'],
    onStopping(hook) {
      // A closed scope runs it at once, so nothing stays open.
      if (!scope.signal.aborted) demandSetup('onStopping')
      check.callback('onStopping', hook)
      options.stopping.add(() => runHook(hook))
    },
    onDispose(dispose) {
      check.callback('onDispose', dispose)
      scope.add('onDispose', () => runHook(dispose))
    },
  })

  return {
    context,
    hasContributedTo: (pointId: string): boolean => contributions.some(({ point }) => point.id === pointId),
    /** From now on the plugin may not contribute, provide or use. */
    seal(): EndedSetup {
      open = false
      return { contributions, services, violations }
    },
    /** Ends it without a result. */
    close(): void {
      open = false
    },
  }
}
