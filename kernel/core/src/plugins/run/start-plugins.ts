import type { Disposer } from '@agent-service/sdk'
import type { Clock } from '@agent-service/sdk/services/clock'
import type { DiscoveredPlugin } from '../discover/discovered-plugin.js'
import { type Placement, type PlanSurroundings, planPlugins } from '../order/plugin-plan.js'
import { hasKernelService } from '../start/kernel-services.js'
import type { PluginSurroundings } from '../start/plugin-environment.js'
import type { ServiceRegistry } from '../start/service-registry.js'
import type { Activations } from './activations.js'
import type { PluginInstance, StartOutcome } from './plugin-instance.js'
import { lackingService, manifestOf, providersOf } from './plugin-links.js'
import { isUp } from './plugin-report.js'

export interface StartRound {
  readonly instances: readonly PluginInstance[]
  readonly services: ServiceRegistry
  /** Why a plugin must not run; `undefined` if it may. */
  readonly exclusionOf: (instance: PluginInstance) => { readonly state: 'disabled' | 'declared'; readonly reason: string } | undefined
  /** Plugins that failed or wait for a retry, to be started now. */
  readonly again: ReadonlySet<string>
  readonly surroundings: PluginSurroundings
  /** Aborted when no more plugins may start. */
  readonly signal: AbortSignal
  /** Called for every plugin that starts, with the points that its manifest names. */
  readonly onStarting?: (points: readonly string[], started: Promise<void>) => void
  readonly onOutcome: (instance: PluginInstance, outcome: StartOutcome) => void
  readonly activations: Pick<Activations, 'offerOf' | 'activate' | 'activateProviders'>
  /** How long to wait for plugins that are not needed; absent: until they have settled. */
  readonly grace?: { readonly clock: Clock; readonly ms: number; readonly isNeeded: (instance: PluginInstance) => boolean }
}

/**
 * Starts every plugin that should run, does not run yet and may start, each after the plugins that
 * it uses have settled. Those that may not become `blocked` or `invalid` with the reason. A start
 * that is already under way goes on. With a grace, needed plugins are awaited without limit and the
 * others that long; a needed plugin waits no longer than that for one that is not. Resolves to the
 * starts that go on. Never rejects.
 */
export async function startPlugins(round: StartRound): Promise<readonly Promise<void>[]> {
  const { instances, services, again } = round
  const valid = instances.filter(({ plugin }) => plugin.status === 'valid')
  for (const instance of valid) {
    const no = round.exclusionOf(instance)
    if (no !== undefined && !isBusy(instance) && !isAlready(instance, no)) instance.set(no.state, no.reason)
  }
  const wanted = valid.filter((instance) => round.exclusionOf(instance) === undefined)
  const byId = new Map(wanted.map((instance) => [instance.plugin.id, instance]))
  const placements = placementsOf(valid, wanted, (id) => hasKernelService(round.surroundings, id))

  const period = createGracePeriod(round.grace)
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
    if (isBusy(instance) || placement === undefined) return
    if (placement.outcome !== 'start') return instance.set(placement.outcome, placement.reason)
    // Begins in a later turn of the event loop, so that a cycle through `begin` finds this promise
    // in the map.
    await Promise.resolve()
    await Promise.all(placement.after.map((other) => waitFor(instance, other)))
    // Meanwhile another round may have started it, or it may have been switched off.
    if (isBusy(instance) || round.exclusionOf(instance) !== undefined) return
    const hasFailed = instance.state() === 'failed' || instance.state() === 'retrying'
    const recorded = round.activations.offerOf(instance)
    const waits = recorded !== undefined || (hasFailed && !again.has(id))
    // One that starts needs what it uses to run; for another it is enough that it may.
    const links = waits ? idsOf(providersOf(instance, instances)) : await round.activations.activateProviders(instance)
    if (round.signal.aborted) return instance.set('stopped', 'the service is stopping')
    const lacking = lackingService(instance, (service) => services.get(service) !== undefined || (waits && isReady(instances, service)))
    if (lacking !== undefined)
      return instance.set('blocked', `it requires the service “${lacking}”${missingProviderReason(valid, lacking)}`)
    if (hasFailed && !again.has(id)) return
    const { surroundings } = round
    const onUse = (): Promise<boolean> => round.activations.activate(instance)
    const outcome = recorded ? instance.offer(recorded, { links, surroundings, onUse }) : instance.start(links, surroundings)
    round.onOutcome(instance, await outcome)
  }
  const isNeeded = (instance: PluginInstance | undefined): boolean =>
    round.grace === undefined || (instance !== undefined && round.grace.isNeeded(instance))
  const waitFor = (instance: PluginInstance, other: string): Promise<void> =>
    isNeeded(instance) && !isNeeded(byId.get(other)) ? period.within(begin(other)) : begin(other)

  const open = new Set<Promise<void>>()
  for (const instance of wanted) {
    const work = begin(instance.plugin.id)
    open.add(work)
    void work.then(() => open.delete(work))
    // `begin` runs no code of a plugin before the next turn of the event loop, so that all expected
    // points are known by then.
    round.onStarting?.(manifestOf(instance.plugin).contributes ?? [], work)
  }
  const all = [...open]
  await Promise.all(wanted.filter(isNeeded).map(({ plugin }) => begin(plugin.id)))
  await period.within(Promise.all(all).then(() => undefined))
  await period.end()
  return [...open]
}

const isBusy = (instance: PluginInstance): boolean => isUp(instance.state()) || instance.starting() !== undefined

const idsOf = (instances: readonly PluginInstance[]): ReadonlySet<string> => new Set(instances.map(({ plugin }) => plugin.id))

const provides = (plugin: DiscoveredPlugin, service: string): boolean => manifestOf(plugin).provides?.includes(service) === true

interface GracePeriod {
  /** Waits for work, at most until the grace ends. The grace begins with the first wait. */
  within(work: Promise<void>): Promise<void>
  end(): Promise<void>
}

function createGracePeriod(grace: StartRound['grace']): GracePeriod {
  if (grace === undefined) return { within: (work) => work, end: async () => undefined }
  let cancel: Disposer = () => undefined
  let over: Promise<void> | undefined
  return {
    within(work) {
      over ??= new Promise<void>((resolve) => {
        cancel = grace.clock.after(grace.ms, resolve)
      })
      return Promise.race([work, over])
    },
    end: async () => cancel(),
  }
}

/**
 * The plugins that a round would start now, if nothing fails and the kernel has every service that
 * they name.
 */
export function startablePlugins(round: Pick<StartRound, 'instances' | 'exclusionOf'>): readonly PluginInstance[] {
  const valid = round.instances.filter(({ plugin }) => plugin.status === 'valid')
  const wanted = valid.filter((instance) => round.exclusionOf(instance) === undefined)
  const placements = placementsOf(valid, wanted, () => true)
  return wanted.filter((instance) => !isUp(instance.state()) && placements.get(instance.plugin.id)?.outcome === 'start')
}

const placementsOf = (
  valid: readonly PluginInstance[],
  wanted: readonly PluginInstance[],
  hasKernelService: PlanSurroundings['hasKernelService'],
): ReadonlyMap<string, Placement> =>
  planPlugins(
    wanted.map((instance) => ({
      id: instance.plugin.id,
      manifest: manifestOf(instance.plugin),
      builtIn: instance.plugin.builtIn,
      running: isUp(instance.state()),
      place: instance.plugin.place,
    })),
    { hasKernelService, absenceReason: (service) => absenceReason(valid, service) },
  )

/**
 * Plugins that run without a service that has become available since, and must restart to get it.
 */
export function withStaleLinks(instances: readonly PluginInstance[], services: ServiceRegistry): readonly string[] {
  return instances
    .filter((instance) => instance.state() === 'active')
    .filter((instance) =>
      (manifestOf(instance.plugin).optional ?? []).some((service) => {
        const provider = services.get(service)?.pluginId ?? readyProviderOf(instances, service)
        return provider !== undefined && !instance.links().has(provider)
      }),
    )
    .map(({ plugin }) => plugin.id)
}

const isReady = (instances: readonly PluginInstance[], service: string): boolean => readyProviderOf(instances, service) !== undefined

const readyProviderOf = (instances: readonly PluginInstance[], service: string): string | undefined =>
  instances.find((instance) => instance.state() === 'ready' && provides(instance.plugin, service))?.plugin.id

/**
 * Whether it has this state and reason already. A reason may have a suffix about an unclean stop.
 */
const isAlready = (instance: PluginInstance, no: { readonly state: string; readonly reason: string }): boolean =>
  instance.state() === no.state && instance.reason()?.startsWith(no.reason) === true

function absenceReason(instances: readonly PluginInstance[], service: string): string | undefined {
  const provider = instances.find((instance) => provides(instance.plugin, service))
  return provider === undefined ? undefined : `which plugin “${provider.plugin.id}” would provide, but that is ${describeState(provider)}`
}

function missingProviderReason(instances: readonly PluginInstance[], service: string): string {
  const provider = instances.find((instance) => provides(instance.plugin, service))
  return provider === undefined ? '' : ` of plugin “${provider.plugin.id}”, which is ${describeState(provider)}`
}

const describeState = (instance: PluginInstance): string => {
  const reason = instance.reason()
  return reason === null ? instance.state() : `${instance.state()}: ${reason}`
}
