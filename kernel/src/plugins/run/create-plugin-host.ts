import type { Disposer } from '@agent-service/sdk'
import { databaseDrivers } from '@agent-service/sdk/contracts/database-driver'
import { policyEngines } from '@agent-service/sdk/contracts/policy-engine'
import type { StateDocuments } from '../../state-documents/state-documents.js'
import { contractPoints } from '../contributions/lift-contribution.js'
import type { DiscoveredPlugin, ValidPlugin } from '../discover/discovered-plugin.js'
import { createPluginSlots, type PluginSlots, type SlotChoice } from '../order/plugin-slots.js'
import {
  hostStoppedError,
  notImplementedYetError,
  pluginInUseError,
  pluginLockedError,
  pluginRequiredFailedError,
  pluginUnknownError,
} from '../plugin-errors.js'
import { claimHosts } from '../start/claim-hosts.js'
import { importModule } from '../start/import-module.js'
import { hasKernelService } from '../start/kernel-services.js'
import type { PluginEnvironment, PluginLimits } from '../start/plugin-environment.js'
import { createPluginFaults } from '../start/plugin-faults.js'
import { createServiceRegistry } from '../start/service-registry.js'
import { createEvictions } from './plugin-collisions.js'
import type { PluginHost } from './plugin-host.js'
import { createPluginInstance, type PluginInstance, type StartOutcome } from './plugin-instance.js'
import { stopInOrder, withRequirers, withUsers } from './plugin-links.js'
import { openPluginSwitches, type PluginSwitches } from './plugin-switches.js'
import { retryDelay } from './retry-delays.js'
import { startablePlugins, startPlugins, withStaleLinks } from './start-plugins.js'

/** What a host is made of. */
export interface PluginHostOptions extends Omit<PluginEnvironment, 'faults' | 'knownPoints' | 'limits'> {
  readonly discovered: readonly DiscoveredPlugin[]
  readonly stateDocuments: StateDocuments
  /** `plugins.required`: ids without which the service must not run. */
  readonly required: readonly string[]
  /** `plugins.disabled`: ids that do not run, whatever the switch says. */
  readonly disabled: readonly string[]
  /** The slots in use; one for `database.driver` among them. */
  readonly slots: readonly SlotChoice[]
  readonly limits?: Partial<PluginLimits>
  /** Asked before a plugin is switched on. @throws `plugin_configuration_invalid` where the configuration does not hold for it. Default: it does. */
  readonly demandConfiguration?: (plugin: ValidPlugin) => Promise<void>
  /** Default: the contracts of the SDK. */
  readonly knownPoints?: PluginEnvironment['knownPoints']
}

/** The slots that are filled before all other plugins start, each with what fills it. */
const bootSlots: ReadonlyMap<string, string> = new Map([
  [databaseDrivers.id, 'a driver'],
  [policyEngines.id, 'a policy engine'],
])

/** Makes a host. Nothing runs before `startBoot` or `start`. */
export function createPluginHost(options: PluginHostOptions): PluginHost {
  const { clock, log, required, slots: choices } = options
  const faults = createPluginFaults()
  const limits = { setupMs: 30_000, databaseMs: 3_600_000, drainMs: 10_000, disposerMs: 10_000, graceMs: 2_000, ...options.limits }
  const environment: PluginEnvironment = { ...options, faults, knownPoints: options.knownPoints ?? contractPoints, limits }
  claimHosts(options.discovered, environment)
  const services = createServiceRegistry()
  const instances = options.discovered.map((plugin) => createPluginInstance(plugin, environment, services))
  const slots = createPluginSlots(choices, options.discovered)
  const stopping = new AbortController()
  const retries = new Map<string, { readonly attempt: number; readonly cancel: Disposer }>()
  let switches: PluginSwitches | undefined
  let openingSwitches: Promise<PluginSwitches> | undefined
  /** The start is over: from now on what is needed must not be stopped. */
  let isUp = false
  let last: Promise<unknown> = Promise.resolve()

  /** One change at a time. */
  const exclusively = <Result>(work: () => Promise<Result>): Promise<Result> => {
    const result = last.then(work)
    last = result.catch(() => undefined)
    return result
  }

  const find = (id: string): PluginInstance => {
    const named = instances.filter(({ plugin }) => plugin.id === id)
    const found = named.find(({ plugin }) => plugin.status === 'valid') ?? named[0]
    if (found === undefined) throw pluginUnknownError.create({ id })
    return found
  }
  const openSwitches = async (): Promise<PluginSwitches> => {
    openingSwitches ??= openPluginSwitches(options.stateDocuments)
    switches = await openingSwitches
    return switches
  }
  const missedSlot = (plugin: ValidPlugin): string | undefined => {
    const missed = slots.missedBy(plugin)
    return missed === undefined ? undefined : `not selected by ${missed.setting} (which is “${missed.key}”)`
  }
  const locked = (id: string): string | undefined =>
    options.disabled.includes(id) ? 'disabled by plugins.disabled of the configuration (locked)' : undefined

  const whyNot = ({ plugin }: PluginInstance): { readonly state: 'disabled' | 'declared'; readonly reason: string } | undefined => {
    if (plugin.status === 'invalid') return undefined
    if (plugin.manifest.stage === 'declared') return { state: 'declared', reason: 'its settings are known; its code does not exist yet' }
    const reason =
      missedSlot(plugin) ??
      locked(plugin.id) ??
      plugin.notGranted ??
      (switches?.isOff(plugin.id) === true ? 'disabled by an administrator' : undefined)
    return reason === undefined ? undefined : { state: 'disabled', reason }
  }

  const forgetRetry = async (id: string): Promise<void> => {
    await retries.get(id)?.cancel()
    retries.delete(id)
  }
  const evictions = createEvictions()
  const onOutcome = (instance: PluginInstance, outcome: StartOutcome): void => {
    const { id } = instance.plugin
    if (outcome.state === 'failed' && outcome.collision !== undefined) evictions.note(instance, outcome.collision)
    const attempt = retries.get(id)?.attempt ?? 0
    retries.delete(id)
    if (outcome.state !== 'retrying' || stopping.signal.aborted) return
    const cancel = clock.after(retryDelay(attempt, outcome.retryAfterMs), () => {
      const retried = exclusively(async () => {
        if (find(id).state() === 'retrying' && !stopping.signal.aborted) await bringUp(new Set([id]))
      })
      retried.catch((error: unknown) => log.error('Starting a plugin again failed', { plugin: id, error }))
    })
    retries.set(id, { attempt: attempt + 1, cancel })
  }

  const isNeeded = createNeed(options.required, choices, slots, instances)

  /**
   * Starts what may start; what runs without a service that came by this is stopped and started again, until nothing changes. With a grace, starts of
   * plugins that are not needed may go on behind it; each that ends brings up what waited for it. A third party that started first and has what a
   * built-in plugin claims makes room for it.
   */
  const bringUp = async (again: ReadonlySet<string>, waits: 'for all' | 'for the needed' = 'for all'): Promise<void> => {
    let tried = again
    for (let round = 0; round <= 2 * instances.length; round += 1) {
      const open = await startPlugins({
        instances,
        services,
        whyNot,
        again: tried,
        hasKernelService: (id) => hasKernelService(environment, id),
        signal: stopping.signal,
        onBegun: (points, started) => options.contributions.expect(points, started),
        onOutcome,
        ...(waits === 'for all' ? {} : { grace: { clock, ms: limits.graceMs, isNeeded } }),
      })
      for (const start of open) void start.then(bringUpBehind)
      if (stopping.signal.aborted) return
      tried = await evict()
      if (tried.size > 0) continue
      const stale = withStaleLinks(instances, services)
      if (stale.length === 0) return
      await stopWithUsers(stale, 'stopped', 'starting again, because a service that it uses has come')
    }
  }

  /** Stops third parties by which built-in plugins failed. Gives the built-in plugins, to be tried again. */
  const evict = async (): Promise<ReadonlySet<string>> => {
    const freed = new Set<string>()
    for (const { id, builtIn, reason } of evictions.take(instances)) {
      // What the running service cannot do without stays: disabling it would be refused, too.
      if (isUp && neededBy(id).length > 0) continue
      if (find(id).state() === 'active') await stopWithUsers([id], 'failed', reason)
      freed.add(builtIn)
    }
    return freed
  }

  const bringUpBehind = (): void => {
    if (stopping.signal.aborted) return
    exclusively(() => (stopping.signal.aborted ? Promise.resolve() : bringUp(new Set(), 'for the needed'))).catch((error: unknown) =>
      log.error('Starting plugins behind a late one failed', { error }),
    )
  }

  const stopWithUsers = (ids: readonly string[], state: 'stopped' | 'disabled' | 'failed', reason: string): Promise<readonly string[]> => {
    const running = instances.filter((instance) => instance.state() === 'active')
    return stopInOrder(withUsers(ids, running), running, (instance) => {
      const own = ids.includes(instance.plugin.id)
      return own ? { state, reason } : { state: 'stopped', reason: `stopped before plugin “${ids.join('”, “')}”, which it uses` }
    })
  }

  const driverChoice = (): SlotChoice | undefined => choices.find(({ point }) => point === databaseDrivers.id)
  const bootSlotOf = ({ plugin }: PluginInstance): string | undefined =>
    choices.find((choice) => bootSlots.has(choice.point) && slots.pick(choice) === plugin)?.point
  const isOfBoot = (instance: PluginInstance): boolean => bootSlotOf(instance) !== undefined

  const demandNeeded = (): void => {
    for (const id of required) {
      const instance =
        instances.find(({ plugin }) => plugin.id === id && plugin.status === 'valid') ?? instances.find(({ plugin }) => plugin.id === id)
      if (instance?.state() !== 'active') throw requiredFailed(id, 'plugins.required lists it', instance)
    }
    for (const choice of choices) {
      if (choice.optional === true) reportUnfilled(choice)
      else demandFilled(choice)
    }
  }
  /** What is installed for an optional slot and does not fill it is worth a line; nothing at all is not. */
  const reportUnfilled = (choice: SlotChoice): void => {
    if (slots.pick(choice) === undefined) return
    try {
      demandFilled(choice)
    } catch (error) {
      log.warn('A slot stays empty.', { slot: choice.point, setting: choice.setting, error })
    }
  }
  const demandFilled = (choice: SlotChoice): void => {
    const plugin = slots.pick(choice)
    const name = `${choice.point.split('.')[0] ?? ''}-${choice.key}`
    const instance =
      instances.find((candidate) => candidate.plugin === plugin) ?? instances.find((candidate) => candidate.plugin.id === name)
    if (instance?.state() !== 'active') throw requiredFailed(instance?.plugin.id ?? name, `${choice.setting} is “${choice.key}”`, instance)
    const keys = options.contributions.list({ ...databaseDrivers, id: choice.point }).filter(({ pluginId }) => pluginId === plugin?.id)
    if (!keys.some(({ key }) => key === choice.key)) {
      const reason = `it contributes ${keys.map(({ key }) => `“${key}”`).join(', ') || 'nothing'} to ${choice.point}, not “${choice.key}”`
      throw pluginRequiredFailedError.create({ plugin: instance.plugin.id, neededFor: `${choice.setting} is “${choice.key}”`, reason })
    }
  }

  const neededBy = (id: string): readonly string[] => {
    const closure = withRequirers(
      id,
      instances.filter((instance) => instance.state() === 'active'),
    )
    return [...closure].flatMap((other) => {
      const through = other === id ? '' : `, which requires “${id}”`
      const slot = slots.filledBy(other)
      return [
        ...(slot === undefined ? [] : [`“${other}” fills the slot ${slot.point}${through}`]),
        ...(required.includes(other) ? [`plugins.required lists “${other}”${through}`] : []),
      ]
    })
  }

  const host: PluginHost = {
    startBoot: () =>
      exclusively(async () => {
        const choice = driverChoice()
        if (choice === undefined)
          throw pluginRequiredFailedError.create({ plugin: '?', neededFor: databaseDrivers.id, reason: 'no driver is configured' })
        await Promise.all(instances.filter(isOfBoot).map(startEarly))
        demandFilled(choice)
        const driver = options.contributions.list(databaseDrivers).find(({ key }) => key === choice.key)
        if (driver === undefined) throw requiredFailed(choice.key, choice.setting, undefined)
        return driver.value
      }),
    async loadAhead() {
      try {
        await openSwitches()
      } catch {
        return
      }
      const startable = startablePlugins({ instances, whyNot, hasKernelService: (id) => hasKernelService(environment, id) })
      await Promise.allSettled(
        startable.map(({ plugin }) =>
          plugin.status === 'valid' && plugin.entryPath !== undefined ? importModule(plugin.entryPath, plugin, faults) : undefined,
        ),
      )
    },
    start: () =>
      exclusively(async () => {
        await openSwitches()
        await bringUp(new Set(), 'for the needed')
        options.contributions.settle()
        demandNeeded()
        isUp = true
        return host.report()
      }),
    report: () => instances.map((instance) => instance.report()),
    holdings: (id) => find(id).holdings(),
    enable: (id, { announce } = {}) =>
      exclusively(async () => {
        const instance = find(id)
        const { plugin } = instance
        if (plugin.status === 'valid' && plugin.manifest.stage === 'declared') throw notImplementedYetError.create({ id })
        const reason = locked(id) ?? (plugin.status === 'valid' ? (missedSlot(plugin) ?? plugin.notGranted) : undefined)
        if (reason !== undefined) throw pluginLockedError.create({ id, reason })
        if (stopping.signal.aborted) throw hostStoppedError.create({})
        if (plugin.status === 'valid') await options.demandConfiguration?.(plugin)
        await announce?.({ enabled: !(await openSwitches()).isOff(id) })
        await (await openSwitches()).turn(id, 'on')
        await forgetRetry(id)
        await instance.starting()
        await bringUp(new Set([id]))
        return instance.report()
      }),
    disable: (id, { announce } = {}) =>
      exclusively(async () => {
        const instance = find(id)
        const needed = neededBy(id)
        if (needed.length > 0) {
          const problems = needed.map((message, index) => ({ path: `/needed_by/${index}`, message }))
          throw pluginInUseError.create({ id, neededBy: needed }, { problems })
        }
        if (stopping.signal.aborted) throw hostStoppedError.create({})
        await announce?.({ enabled: !(await openSwitches()).isOff(id) })
        await (await openSwitches()).turn(id, 'off')
        await forgetRetry(id)
        await instance.giveUp('it was switched off while it started')
        const stopped = instance.state() === 'active' ? await stopWithUsers([id], 'disabled', 'disabled by an administrator') : []
        await bringUp(new Set())
        return { stopped, report: instance.report() }
      }),
    watchFaults: (onUnowned) =>
      faults.watch({
        onFault(fault) {
          find(fault.pluginId).mark(fault)
        },
        onUnowned,
      }),
    stop() {
      stopping.abort(new DOMException('The service is stopping.', 'AbortError'))
      const givenUp = instances.map((instance) => instance.giveUp('the service stopped while it started'))
      return exclusively(async () => {
        await Promise.all(givenUp)
        for (const id of [...retries.keys()]) await forgetRetry(id)
        const running = instances.filter((instance) => instance.state() === 'active' && !isOfBoot(instance))
        await stopInOrder(new Set(running.map(({ plugin }) => plugin.id)), running, () => ({ state: 'stopped', reason: null }))
        for (const instance of instances) if (instance.state() === 'retrying') instance.set('stopped', null)
      })
    },
    stopBoot: () =>
      exclusively(async () => {
        for (const id of [...retries.keys()]) await forgetRetry(id)
        for (const instance of instances) if (isOfBoot(instance) && instance.state() === 'active') await instance.stop('stopped', null)
      }),
  }
  return host

  async function startEarly(instance: PluginInstance): Promise<void> {
    const { plugin } = instance
    const lockedReason = locked(plugin.id)
    if (instance.state() === 'active') return
    if (lockedReason !== undefined) return instance.set('disabled', lockedReason)
    const uses = plugin.status === 'valid' ? [...(plugin.manifest.requires ?? []), ...(plugin.manifest.optional ?? [])] : []
    const what = bootSlots.get(bootSlotOf(instance) ?? '') ?? 'it'
    if (uses.length > 0) return instance.set('blocked', `${what} starts before every other plugin, so it cannot use ${uses.join(', ')}`)
    onOutcome(instance, await instance.start(new Set(), 'boot'))
    log.debug('A plugin of the boot phase was started', { plugin: plugin.id, state: instance.state() })
  }
}

/** Whether the start waits for a plugin to the end: it is built in, required, fills a slot in use, or one of the last two requires it. */
function createNeed(
  required: readonly string[],
  choices: readonly SlotChoice[],
  slots: PluginSlots,
  instances: readonly PluginInstance[],
): (instance: PluginInstance) => boolean {
  const needed = new Set([...required, ...choices.flatMap((choice) => slots.pick(choice)?.id ?? [])])
  for (let size = -1; size !== needed.size; ) {
    size = needed.size
    const services = new Set(instances.flatMap(({ plugin }) => (needed.has(plugin.id) ? requiresOf(plugin) : [])))
    for (const { plugin } of instances)
      if (plugin.status === 'valid' && plugin.manifest.provides?.some((service) => services.has(service))) needed.add(plugin.id)
  }
  return ({ plugin }) => plugin.builtIn || needed.has(plugin.id)
}

const requiresOf = (plugin: DiscoveredPlugin): readonly string[] => (plugin.status === 'valid' ? (plugin.manifest.requires ?? []) : [])

function requiredFailed(id: string, neededFor: string, instance: PluginInstance | undefined): Error {
  const reason =
    instance === undefined
      ? 'no such plugin is installed'
      : `it is ${instance.state()}${instance.reason() === null ? '' : `: ${instance.reason()}`}`
  return pluginRequiredFailedError.create({ plugin: id, neededFor, reason })
}
