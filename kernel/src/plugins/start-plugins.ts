import type { PluginManifest } from '@agent-service/sdk'
import type { PluginInstance, StartOutcome } from './plugin-instance.js'
import { type Placement, type PlanSurroundings, planPlugins } from './plugin-plan.js'
import type { ServiceRegistry } from './service-registry.js'

/** One round of starting. */
export interface StartRound {
  readonly instances: readonly PluginInstance[]
  readonly services: ServiceRegistry
  /** Why a plugin is not to run; `undefined` when it is. */
  readonly whyNot: (instance: PluginInstance) => { readonly state: 'disabled' | 'declared'; readonly reason: string } | undefined
  /** Plugins that failed or wait for a retry and are to be tried now. */
  readonly again: ReadonlySet<string>
  readonly hasKernelService: PlanSurroundings['hasKernelService']
  /** Aborted when nothing more is to be started. */
  readonly signal: AbortSignal
  /** Told of every plugin that is to run, with the points that its manifest names. */
  readonly onBegun?: (points: readonly string[], started: Promise<void>) => void
  readonly onOutcome: (instance: PluginInstance, outcome: StartOutcome) => void
}

/**
 * Starts every plugin that is to run, does not run yet and may start, each after what it uses has settled. Those that may not are `blocked` or
 * `invalid` with the reason afterwards. Never rejects.
 */
export async function startPlugins(round: StartRound): Promise<void> {
  const { instances, services, again } = round
  const valid = instances.filter(({ plugin }) => plugin.status === 'valid')
  for (const instance of valid) {
    const no = round.whyNot(instance)
    if (no !== undefined && instance.state() !== 'active' && !says(instance, no)) instance.set(no.state, no.reason)
  }
  const wanted = valid.filter((instance) => round.whyNot(instance) === undefined)
  const byId = new Map(wanted.map((instance) => [instance.plugin.id, instance]))
  const placements = placementsOf(valid, wanted, round.hasKernelService)

  const begun = new Map<string, Promise<void>>()
  const begin = (id: string): Promise<void> => {
    const known = begun.get(id)
    const instance = byId.get(id)
    const work = known ?? (instance === undefined ? Promise.resolve() : settle(instance))
    begun.set(id, work)
    return work
  }
  const settle = async (instance: PluginInstance): Promise<void> => {
    const { id } = instance.plugin
    const placement = placements.get(id)
    if (instance.state() === 'active' || placement === undefined) return
    if (placement.outcome !== 'start') return instance.set(placement.outcome, placement.reason)
    // Begun in a later turn, so that a round through `begin` finds this one's promise in the map.
    await Promise.resolve()
    await Promise.all(placement.after.map(begin))
    if (round.signal.aborted) return instance.set('stopped', 'the service is stopping')
    const { requires = [], optional = [] } = manifestOf(instance)
    const lacking = requires.find((service) => !service.startsWith('kernel.') && services.get(service) === undefined)
    if (lacking !== undefined) return instance.set('blocked', `it requires the service “${lacking}”${whyLacking(valid, lacking)}`)
    if ((instance.state() === 'failed' || instance.state() === 'retrying') && !again.has(id)) return
    const links = new Set([...requires, ...optional].flatMap((service) => services.get(service)?.pluginId ?? []))
    round.onOutcome(instance, await instance.start(links, 'main'))
  }
  const starting = wanted.map((instance) => ({ instance, started: begin(instance.plugin.id) }))
  // `begin` runs nothing of a plugin before the next turn, so that whoever asks finds all of them.
  for (const { instance, started } of starting) round.onBegun?.(manifestOf(instance).contributes ?? [], started)
  await Promise.all(starting.map(({ started }) => started))
}

/** The plugins that a round would start now, if nothing fails. */
export function startablePlugins(round: Pick<StartRound, 'instances' | 'whyNot' | 'hasKernelService'>): readonly PluginInstance[] {
  const valid = round.instances.filter(({ plugin }) => plugin.status === 'valid')
  const wanted = valid.filter((instance) => round.whyNot(instance) === undefined)
  const placements = placementsOf(valid, wanted, round.hasKernelService)
  return wanted.filter((instance) => instance.state() !== 'active' && placements.get(instance.plugin.id)?.outcome === 'start')
}

const placementsOf = (
  valid: readonly PluginInstance[],
  wanted: readonly PluginInstance[],
  hasKernelService: StartRound['hasKernelService'],
): ReadonlyMap<string, Placement> =>
  planPlugins(
    wanted.map((instance) => ({ id: instance.plugin.id, manifest: manifestOf(instance), running: instance.state() === 'active' })),
    { hasKernelService, whyAbsent: (service) => whyAbsent(valid, service) },
  )

/** Plugins that run without a service that has come since: they are to be started again to get it. */
export function withStaleLinks(instances: readonly PluginInstance[], services: ServiceRegistry): readonly string[] {
  return instances
    .filter((instance) => instance.state() === 'active')
    .filter((instance) =>
      (manifestOf(instance).optional ?? []).some((service) => {
        const provider = services.get(service)?.pluginId
        return provider !== undefined && !instance.links().has(provider)
      }),
    )
    .map(({ plugin }) => plugin.id)
}

/** A reason may go on: with what did not stop cleanly. */
const says = (instance: PluginInstance, no: { readonly state: string; readonly reason: string }): boolean =>
  instance.state() === no.state && instance.reason()?.startsWith(no.reason) === true

const manifestOf = ({ plugin }: PluginInstance): Pick<PluginManifest, 'contributes' | 'provides' | 'requires' | 'optional'> =>
  plugin.status === 'valid' ? plugin.manifest : {}

function whyAbsent(instances: readonly PluginInstance[], service: string): string | undefined {
  const provider = instances.find((instance) => manifestOf(instance).provides?.includes(service) === true)
  return provider === undefined ? undefined : `which plugin “${provider.plugin.id}” would provide, and that is ${describeState(provider)}`
}

function whyLacking(instances: readonly PluginInstance[], service: string): string {
  const provider = instances.find((instance) => manifestOf(instance).provides?.includes(service) === true)
  return provider === undefined ? '' : ` of plugin “${provider.plugin.id}”, which is ${describeState(provider)}`
}

const describeState = (instance: PluginInstance): string => {
  const reason = instance.reason()
  return reason === null ? instance.state() : `${instance.state()}: ${reason}`
}
