import { isDeepStrictEqual } from 'node:util'
import type { RecordedSetup } from '@agent-service/sdk'
import { runOutside } from '../../work/work-context.js'
import type { PluginEnvironment } from '../start/plugin-environment.js'
import type { ServiceRegistry } from '../start/service-registry.js'
import type { PluginInstance, StartOutcome } from './plugin-instance.js'
import { lackingService, providersOf } from './plugin-links.js'

/** What the activations of one host work on. */
interface ActivationDependencies {
  readonly instances: readonly PluginInstance[]
  readonly services: ServiceRegistry
  readonly environment: Pick<PluginEnvironment, 'configurationOf' | 'standbyOf'>
  /** `plugins.required`: they start with the service, which does not run without them. */
  readonly required: readonly string[]
  /** Aborted when the host stops. */
  readonly signal: AbortSignal
  /** Called with each outcome, before those that wait for it go on. */
  readonly onOutcome: (instance: PluginInstance, outcome: StartOutcome) => void
}

export type Activations = ReturnType<typeof createActivations>

/**
 * Starts plugins that are ready when something that they contribute is used, each after those whose
 * services it uses. Not a change of the host that others wait for: what waits for a start may itself be such
 * a change.
 */
export function createActivations({ instances, services, environment, required, signal, onOutcome }: ActivationDependencies) {
  const underWay = new Map<PluginInstance, Promise<StartOutcome>>()
  /** Those whose code contributes something else than they offered. */
  const different = new Set<PluginInstance>()

  const begin = async (instance: PluginInstance): Promise<StartOutcome> => {
    const links = await activateProviders(instance)
    if (instance.state() !== 'ready' || signal.aborted) return { state: 'stopped' }
    const lacking = lackingService(instance, (service) => services.get(service) !== undefined)
    if (lacking !== undefined) {
      await instance.withdrawOffer('blocked', `it requires the service “${lacking}”, whose plugin could not be started`)
      return { state: 'stopped' }
    }
    const outcome = await instance.start(links)
    if (outcome.state === 'failed' && outcome.differs === true) different.add(instance)
    onOutcome(instance, outcome)
    return outcome
  }

  /** The first use of a plugin that is ready, or the one under way. */
  const firstUse = (instance: PluginInstance): Promise<StartOutcome> | undefined => {
    const known = underWay.get(instance)
    if (known !== undefined || instance.state() !== 'ready') return known
    const begun = begin(instance).finally(() => underWay.delete(instance))
    underWay.set(instance, begun)
    return begun
  }

  /** Starts the plugins that are ready and whose services this one uses. Resolves to the ids of those that run. */
  const activateProviders = async (instance: PluginInstance): Promise<ReadonlySet<string>> => {
    const providers = providersOf(instance, instances)
    await Promise.all(providers.map(firstUse))
    return new Set(providers.filter((provider) => provider.state() === 'active').map(({ plugin }) => plugin.id))
  }

  return {
    /** What a plugin may offer instead of starting now; undefined if it has to start. */
    offerOf(instance: PluginInstance): RecordedSetup | undefined {
      const { plugin } = instance
      if (plugin.status === 'invalid' || plugin.manifest.recorded === undefined) return undefined
      const { recorded } = plugin.manifest
      // One that was not ready when it was used starts as soon as it can.
      const isWanted = required.includes(plugin.id) || instance.state() === 'retrying' || different.has(instance)
      if (isWanted || environment.standbyOf(plugin.id) !== undefined) return undefined
      return isDeepStrictEqual(environment.configurationOf(plugin.manifest), recorded.settings) ? recorded : undefined
    },
    activateProviders,
    /** Starts a plugin that is ready. Resolves to whether it runs; if not, its state has the reason. Never rejects. */
    async activate(instance: PluginInstance): Promise<boolean> {
      // Outside the call that needs it, so that what setup opens does not belong to that.
      await runOutside(() => firstUse(instance))
      return instance.state() === 'active'
    },
    /** Whether its code contributes something else than it offered. */
    differs: (instance: PluginInstance): boolean => different.has(instance),
  }
}
