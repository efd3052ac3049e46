import type { Disposer, Logger } from '@agent-service/sdk'
import { type DatabaseDriver, databaseDrivers } from '@agent-service/sdk/contracts/database-driver'
import { policyEngines } from '@agent-service/sdk/contracts/policy-engine'
import { schedulerJobs } from '@agent-service/sdk/contracts/scheduler-job'
import type { Clock } from '@agent-service/sdk/services/clock'
import { type InjectionToken, inject, injectable } from 'tsyringe'
import type { RouteTable } from '../../http/route-table.js'
import { routeTableToken } from '../../http/routing/dispatch-table.js'
import { type Redactor, redactorToken } from '../../log/redactor.js'
import { clockToken, loggerToken } from '../../process/tokens.js'
import { type StateDocuments, stateDocumentsToken } from '../../state-documents/index.js'
import { contractPoints } from '../contributions/contract-points.js'
import { type ContributionRegistry, contributionsToken } from '../contributions/contribution-registry.js'
import { type DiscoveredPlugin, discoveredPluginsToken, type ValidPlugin } from '../discover/discovered-plugin.js'
import { createPluginSlots, type PluginSlots, type SlotChoice } from '../order/plugin-slots.js'
import { hostStoppedError, notImplementedYetError, pluginInUseError, pluginLockedError, pluginUnknownError } from '../plugin-errors.js'
import type { PluginEnvironment, PluginLimits, PluginSurroundings } from '../start/plugin-environment.js'
import { createPluginFaults, type EscapedError } from '../start/plugin-faults.js'
import { ServiceRegistry } from '../start/service-registry.js'
import { importModule } from '../start/start-plugin.js'
import { createNeededPlugins, findInstance, type NeededPlugins, requiredFailed } from './needed-plugins.js'
import { createEvictions } from './plugin-collisions.js'
import { createPluginInstance, type PluginInstance, type StartOutcome } from './plugin-instance.js'
import { stopInOrder, withUsers } from './plugin-links.js'
import type { PluginReport } from './plugin-report.js'
import { openPluginSwitches, type PluginSwitches } from './plugin-switches.js'
import { createRetries, type Retries } from './retries.js'
import { startablePlugins, startPlugins, withStaleLinks } from './start-plugins.js'

export interface PluginSettings {
  /** `plugins.required`: ids without which the service must not run. */
  readonly required: readonly string[]
  /** `plugins.disabled`: ids that never run, even if switched on. */
  readonly disabled: readonly string[]
  /** The slots in use, including one for `database.driver`. */
  readonly slots: readonly SlotChoice[]
  readonly configurationOf: PluginEnvironment['configurationOf']
  readonly limits?: Partial<PluginLimits> | undefined
  /**
   * Called before a plugin is switched on.
   * @throws `plugin_configuration_invalid` if the configuration is not valid for it. Default: no
   * check.
   */
  readonly checkConfiguration?: (plugin: ValidPlugin) => Promise<void>
  /** Default: the contracts of the SDK. */
  readonly knownPoints?: PluginEnvironment['knownPoints']
}

export const pluginSettingsToken: InjectionToken<PluginSettings> = Symbol('plugin-settings')

const defaultLimits: PluginLimits = { setupMs: 30_000, databaseMs: 3_600_000, drainMs: 10_000, disposerMs: 10_000, graceMs: 2_000 }

/** The slots that are filled before all other plugins start, each with the noun for messages. */
const bootSlots: ReadonlyMap<string, string> = new Map([
  [databaseDrivers.id, 'a driver'],
  [policyEngines.id, 'a policy engine'],
])

export interface SwitchOptions {
  /** Called after all checks, right before the switch is stored. If it throws, nothing changes. */
  readonly announce?: (before: { readonly enabled: boolean }) => Promise<void>
}

export const pluginHostToken: InjectionToken<PluginHost> = Symbol('plugin-host')

/**
 * Starts, stops and monitors plugins. One change at a time: calls wait for each other. Nothing of a
 * plugin runs before `startBoot`, `loadAhead` or `start`.
 */
@injectable()
export class PluginHost {
  readonly #environment: PluginEnvironment
  readonly #services = new ServiceRegistry()
  readonly #instances: readonly PluginInstance[]
  readonly #slots: PluginSlots
  readonly #needed: NeededPlugins
  readonly #retries: Retries
  readonly #evictions = createEvictions()
  readonly #stopping = new AbortController()
  #switches: PluginSwitches | undefined
  #surroundings: PluginSurroundings | undefined
  /** The start has ended: from now on needed plugins must not be stopped. */
  #isUp = false
  #last: Promise<unknown> = Promise.resolve()

  constructor(
    @inject(discoveredPluginsToken) discovered: readonly DiscoveredPlugin[],
    @inject(pluginSettingsToken) private readonly settings: PluginSettings,
    @inject(stateDocumentsToken) private readonly stateDocuments: StateDocuments,
    @inject(clockToken) clock: Clock,
    @inject(loggerToken) private readonly log: Logger,
    @inject(redactorToken) redactor: Redactor,
    @inject(contributionsToken) private readonly contributions: ContributionRegistry,
    @inject(routeTableToken) routes: RouteTable,
  ) {
    const { configurationOf, required, slots: choices, knownPoints = contractPoints } = settings
    const limits = { ...defaultLimits, ...settings.limits }
    const faults = createPluginFaults()
    const environment = { clock, log, redactor, faults, contributions, routes, knownPoints, limits, configurationOf }
    const instances = discovered.map((plugin) => createPluginInstance(plugin, environment, this.#services))
    this.#environment = environment
    this.#instances = instances
    this.#slots = createPluginSlots(choices, discovered)
    this.#needed = createNeededPlugins({ required, choices, slots: this.#slots, instances, contributions, log })
    this.#retries = createRetries(clock, (id) => this.#retry(id))
  }

  /**
   * Before the database: starts the plugins that fill `database.driver` and `policy.engine`, with
   * only log, clock and their configuration.
   * @throws `plugin_required_failed` with the reason, if no driver is active.
   */
  startBoot(): Promise<DatabaseDriver> {
    return this.#exclusively(async () => {
      const choice = this.settings.slots.find(({ point }) => point === databaseDrivers.id)
      if (choice === undefined) throw new TypeError('The settings of the plugin host do not pick a database driver.')
      const early = this.#instances.filter((instance) => this.#bootSlotOf(instance) !== undefined)
      await Promise.all(early.map((instance) => this.#startBeforeDatabase(instance)))
      this.#needed.requireFilled(choice)
      const driver = this.contributions.list(databaseDrivers).find(({ key }) => key === choice.key)
      if (driver === undefined) throw requiredFailed(choice.key, choice.setting, undefined)
      return driver.value
    })
  }

  /**
   * While the database is being opened: imports the modules of the plugins that {@link start} will
   * start, and runs nothing else of them. An import that fails here fails again when the plugin
   * starts. Resolves when every import has ended; never rejects.
   */
  async loadAhead(): Promise<void> {
    try {
      await this.#openSwitches()
    } catch {
      return
    }
    const startable = startablePlugins({ instances: this.#instances, exclusionOf: (instance) => this.#exclusionOf(instance) })
    await Promise.allSettled(
      startable.map(({ plugin }) =>
        plugin.status === 'valid' && plugin.entryPath !== undefined
          ? importModule(plugin.entryPath, plugin, this.#environment.faults)
          : undefined,
      ),
    )
  }

  /**
   * Starts every enabled plugin after its requirements, otherwise in parallel. Waits for built-in
   * and required plugins; others have a short grace and then go on starting in the background.
   * Resolves with a report; throws only for a required plugin or an empty slot in use.
   */
  start(surroundings: PluginSurroundings): Promise<readonly PluginReport[]> {
    return this.#exclusively(async () => {
      this.#surroundings = surroundings
      await this.#openSwitches()
      await this.#startPending(new Set(), 'for the needed')
      this.contributions.settle()
      this.#needed.requireActive()
      this.#isUp = true
      return this.report()
    })
  }

  report(): readonly PluginReport[] {
    return this.#instances.map((instance) => instance.report())
  }

  /** Labels of everything in a plugin's scope; empty while it does not run. */
  holdings(id: string): readonly string[] {
    return this.#find(id).holdings()
  }

  /**
   * Starts a plugin and those that waited for it. The switch is stored.
   * @throws `plugin_unknown`, `plugin_locked`, `not_implemented_yet`.
   */
  enable(id: string, { announce }: SwitchOptions = {}): Promise<PluginReport> {
    return this.#exclusively(async () => {
      const instance = this.#find(id)
      const { plugin } = instance
      if (plugin.status === 'valid' && plugin.manifest.stage === 'declared') throw notImplementedYetError.create({ id })
      const reason = this.#locked(id) ?? (plugin.status === 'valid' ? (this.#missedSlot(plugin) ?? plugin.notGranted) : undefined)
      if (reason !== undefined) throw pluginLockedError.create({ id, reason })
      if (this.#stopping.signal.aborted) throw hostStoppedError.create({})
      if (plugin.status === 'valid') await this.settings.checkConfiguration?.(plugin)
      await this.#setSwitch(id, 'on', announce)
      await instance.starting()
      await this.#startPending(new Set([id]))
      return instance.report()
    })
  }

  /**
   * Stops every plugin that uses it, then the plugin. Returns the ids of all stopped plugins, in
   * order.
   * @throws `plugin_in_use`, `plugin_unknown`.
   */
  disable(id: string, { announce }: SwitchOptions = {}): Promise<{ readonly stopped: readonly string[]; readonly report: PluginReport }> {
    return this.#exclusively(async () => {
      const instance = this.#find(id)
      const neededBy = this.#needed.neededBy(id)
      if (neededBy.length > 0) {
        const problems = neededBy.map((message, index) => ({ path: `/needed_by/${index}`, message }))
        throw pluginInUseError.create({ id, neededBy }, { problems })
      }
      if (this.#stopping.signal.aborted) throw hostStoppedError.create({})
      await this.#setSwitch(id, 'off', announce)
      await instance.cancelStart('it was switched off while it started')
      const stopped = instance.state() === 'active' ? await this.#stopWithUsers([id], 'disabled', 'disabled by an administrator') : []
      await this.#startPending(new Set())
      return { stopped, report: instance.report() }
    })
  }

  /**
   * Listens for uncaught errors of the process. An error of a plugin is logged with its id and
   * marks its report; any other goes to `onUnowned`, which decides whether the process goes on.
   */
  watchFaults(onUnowned: (error: unknown, kind: EscapedError) => void): Disposer {
    return this.#environment.faults.watch({ onFault: (fault) => this.#find(fault.pluginId).mark(fault), onUnowned })
  }

  /**
   * Stops all in reverse order, except those of the boot phase. Cancels starts under way. May be
   * called again.
   */
  stop(): Promise<void> {
    this.#stopping.abort(new DOMException('The service is stopping.', 'AbortError'))
    const cancelled = this.#instances.map((instance) => instance.cancelStart('the service stopped while it started'))
    return this.#exclusively(async () => {
      await Promise.all(cancelled)
      this.#retries.clear()
      const running = this.#instances.filter((instance) => instance.state() === 'active' && this.#bootSlotOf(instance) === undefined)
      await stopInOrder(new Set(running.map(({ plugin }) => plugin.id)), running, () => ({ state: 'stopped', reason: null }))
      for (const instance of this.#instances) if (instance.state() === 'retrying') instance.set('stopped', null)
    })
  }

  /**
   * After the database is closed: stops the plugins that {@link startBoot} started. May be called
   * again.
   */
  stopBoot(): Promise<void> {
    return this.#exclusively(async () => {
      this.#retries.clear()
      for (const instance of this.#instances)
        if (this.#bootSlotOf(instance) !== undefined && instance.state() === 'active') await instance.stop('stopped', null)
    })
  }

  /** One change at a time. */
  #exclusively<Result>(work: () => Promise<Result>): Promise<Result> {
    const result = this.#last.then(work)
    this.#last = result.catch(() => undefined)
    return result
  }

  #find(id: string): PluginInstance {
    const found = findInstance(this.#instances, id)
    if (found === undefined) throw pluginUnknownError.create({ id })
    return found
  }

  /** They are opened twice if two calls overlap; the state documents return the same document. */
  async #openSwitches(): Promise<PluginSwitches> {
    this.#switches ??= await openPluginSwitches(this.stateDocuments)
    return this.#switches
  }

  async #setSwitch(id: string, position: 'on' | 'off', announce: SwitchOptions['announce']): Promise<void> {
    const switches = await this.#openSwitches()
    await announce?.({ enabled: !switches.isOff(id) })
    await switches.set(id, position)
    this.#retries.reset(id)
  }

  /** The noun for a plugin of the boot phase, for messages. */
  #bootSlotOf({ plugin }: PluginInstance): string | undefined {
    const choice = this.settings.slots.find((slot) => bootSlots.has(slot.point) && this.#slots.pick(slot) === plugin)
    return bootSlots.get(choice?.point ?? '')
  }

  #locked(id: string): string | undefined {
    return this.settings.disabled.includes(id) ? 'disabled by plugins.disabled of the configuration (locked)' : undefined
  }

  #missedSlot(plugin: ValidPlugin): string | undefined {
    const missed = this.#slots.missedBy(plugin)
    return missed && `not selected by ${missed.setting} (which is “${missed.key}”)`
  }

  #exclusionOf({ plugin }: PluginInstance): { readonly state: 'disabled' | 'declared'; readonly reason: string } | undefined {
    if (plugin.status === 'invalid') return undefined
    if (plugin.manifest.stage === 'declared')
      return { state: 'declared', reason: 'its settings are known, but its code does not exist yet' }
    const isOff = this.#switches?.isOff(plugin.id) === true
    const reason =
      this.#missedSlot(plugin) ?? this.#locked(plugin.id) ?? plugin.notGranted ?? (isOff ? 'disabled by an administrator' : undefined)
    return reason === undefined ? undefined : { state: 'disabled', reason }
  }

  async #startBeforeDatabase(instance: PluginInstance): Promise<void> {
    const { plugin } = instance
    if (instance.state() === 'active') return
    const locked = this.#locked(plugin.id)
    if (locked !== undefined) return instance.set('disabled', locked)
    const { requires = [], optional = [], contributes = [] } = plugin.status === 'valid' ? plugin.manifest : {}
    const uses = [...requires, ...optional, ...contributes.filter((point) => point === schedulerJobs.id)]
    const what = this.#bootSlotOf(instance) ?? 'it'
    if (uses.length > 0) return instance.set('blocked', `${what} starts before every other plugin, so it cannot use ${uses.join(', ')}`)
    this.#onOutcome(instance, await instance.start(new Set()))
    this.log.debug('A plugin of the boot phase was started', { plugin: plugin.id, state: instance.state() })
  }

  /**
   * Starts every plugin that may start. Plugins that run without a service that has become
   * available are restarted, until nothing changes. With a grace, plugins that are not needed may
   * go on starting in the background; each then starts the plugins that waited for it. A third
   * party that took a name claimed by a built-in plugin is stopped. Before {@link start} this does
   * nothing.
   */
  async #startPending(again: ReadonlySet<string>, waits: 'for all' | 'for the needed' = 'for all'): Promise<void> {
    const surroundings = this.#surroundings
    if (surroundings === undefined) return
    const { clock, limits } = this.#environment
    const grace = { clock, ms: limits.graceMs, isNeeded: (instance: PluginInstance) => this.#needed.isAwaited(instance) }
    let tried = again
    for (let round = 0; round <= 2 * this.#instances.length; round += 1) {
      const open = await startPlugins({
        instances: this.#instances,
        services: this.#services,
        surroundings,
        again: tried,
        signal: this.#stopping.signal,
        exclusionOf: (instance) => this.#exclusionOf(instance),
        onStarting: (points, started) => this.contributions.expect(points, started),
        onOutcome: (instance, outcome) => this.#onOutcome(instance, outcome),
        ...(waits === 'for all' ? {} : { grace }),
      })
      for (const start of open) void start.then(() => this.#inBackground(() => this.#startPending(new Set(), 'for the needed')))
      if (this.#stopping.signal.aborted) return
      tried = await this.#evict()
      if (tried.size > 0) continue
      const stale = withStaleLinks(this.#instances, this.#services)
      if (stale.length === 0) return
      await this.#stopWithUsers(stale, 'stopped', 'restarting, because a service that it uses has become available')
    }
  }

  #onOutcome(instance: PluginInstance, outcome: StartOutcome): void {
    const { id } = instance.plugin
    if (outcome.state === 'failed' && outcome.collision !== undefined) this.#evictions.note(instance, outcome.collision)
    if (outcome.state === 'retrying' && !this.#stopping.signal.aborted) this.#retries.plan(id, outcome.retryAfterMs)
    else this.#retries.reset(id)
  }

  #retry(id: string): void {
    this.#inBackground(async () => {
      if (this.#find(id).state() !== 'retrying') return
      // Before {@link start} a plugin of the boot phase goes on waiting.
      if (this.#surroundings === undefined) this.#retries.plan(id, undefined)
      else await this.#startPending(new Set([id]))
    })
  }

  #inBackground(work: () => Promise<void>): void {
    this.#exclusively(async () => {
      if (!this.#stopping.signal.aborted) await work()
    }).catch((error: unknown) => this.log.error('Starting plugins failed', { error }))
  }

  /** Stops third parties that made built-in plugins fail. Returns the built-in plugins to retry. */
  async #evict(): Promise<ReadonlySet<string>> {
    const freed = new Set<string>()
    for (const { id, builtIn, reason } of this.#evictions.take(this.#instances)) {
      // A plugin that the running service needs stays: disabling it would be refused, too.
      if (this.#isUp && this.#needed.neededBy(id).length > 0) continue
      if (this.#find(id).state() === 'active') await this.#stopWithUsers([id], 'failed', reason)
      freed.add(builtIn)
    }
    return freed
  }

  #stopWithUsers(ids: readonly string[], state: 'stopped' | 'disabled' | 'failed', reason: string): Promise<readonly string[]> {
    const running = this.#instances.filter((instance) => instance.state() === 'active')
    return stopInOrder(withUsers(ids, running), running, (instance) => {
      const own = ids.includes(instance.plugin.id)
      return own ? { state, reason } : { state: 'stopped', reason: `stopped before plugin “${ids.join('”, “')}”, which it uses` }
    })
  }
}
