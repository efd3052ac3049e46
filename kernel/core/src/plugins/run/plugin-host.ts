import type { Disposer, Logger } from '@agent-service/sdk'
import { withTimeLimit } from '@agent-service/sdk/async'
import type { DatabaseDriver } from '@agent-service/sdk/contracts/database-driver'
import { contractPoints } from '@agent-service/sdk/host'
import type { Clock } from '@agent-service/sdk/services/clock'
import { type InjectionToken, inject, injectable } from 'tsyringe'
import type { RouteTable } from '../../http/route-table.js'
import { routeTableToken } from '../../http/routing/dispatch-table.js'
import { type Redactor, redactorToken } from '../../log/redactor.js'
import { createImportTurns } from '../../modules/import-turns.js'
import { clockToken, loggerToken } from '../../process/tokens.js'
import { type StateDocuments, stateDocumentsToken } from '../../state-documents/index.js'
import { type ContributionRegistry, contributionsToken } from '../contributions/contribution-registry.js'
import { type DiscoveredPlugin, discoveredPluginsToken, inOrderOfClaims, type ValidPlugin } from '../discover/discovered-plugin.js'
import { createPluginSlots, type PluginSlots, type SlotChoice } from '../order/plugin-slots.js'
import {
  hostStoppedError,
  notImplementedYetError,
  pluginDataInUseError,
  pluginInUseError,
  pluginLockedError,
  pluginUnknownError,
} from '../plugin-errors.js'
import { recordOrder } from '../seniority/record-order.js'
import { createIntrinsicsGuard } from '../start/intrinsics-guard.js'
import type { LeftRunning } from '../start/left-running.js'
import type { KernelServiceFactory, PluginEnvironment, PluginLimits, PluginSurroundings } from '../start/plugin-environment.js'
import { createPluginFaults, type EscapedError, logLateFault, type PluginFault } from '../start/plugin-faults.js'
import { ServiceRegistry } from '../start/service-registry.js'
import { importModule } from '../start/start-plugin.js'
import { type Activations, createActivations } from './activations.js'
import { type BootPlugins, createBootPlugins } from './boot-plugins.js'
import { createNeededPlugins, findInstance, type NeededPlugins } from './needed-plugins.js'
import { createPluginExclusions, type PluginExclusions } from './plugin-exclusions.js'
import { createPluginInstance, type PluginInstance } from './plugin-instance.js'
import { stopInOrder } from './plugin-links.js'
import { isUp, type PluginReport } from './plugin-report.js'
import { openPluginSwitches, type PluginSwitches } from './plugin-switches.js'
import { createSlotsFactory, createStandbyPoints, slotsServiceId } from './slot-standbys.js'
import { startablePlugins } from './start-plugins.js'
import { StartRounds } from './start-rounds.js'
import { thrownBy } from './thrown-by.js'

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

const defaultLimits: PluginLimits = {
  setupMs: 30_000,
  databaseMs: 3_600_000,
  drainMs: 10_000,
  disposerMs: 10_000,
  stopMs: 25_000,
  graceMs: 2_000,
}

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
  readonly #instances: readonly PluginInstance[]
  readonly #needed: NeededPlugins
  readonly #exclusions: PluginExclusions
  readonly #activations: Activations
  readonly #rounds: StartRounds
  readonly #boot: BootPlugins
  readonly #slots: KernelServiceFactory
  readonly #slotPlugins: PluginSlots
  readonly #stopping = new AbortController()
  #switches: PluginSwitches | undefined
  #last: Promise<unknown> = Promise.resolve()

  constructor(
    @inject(discoveredPluginsToken) private readonly discovered: readonly DiscoveredPlugin[],
    @inject(pluginSettingsToken) private readonly settings: PluginSettings,
    @inject(stateDocumentsToken) private readonly stateDocuments: StateDocuments,
    @inject(clockToken) clock: Clock,
    @inject(loggerToken) log: Logger,
    @inject(redactorToken) redactor: Redactor,
    @inject(contributionsToken) contributions: ContributionRegistry,
    @inject(routeTableToken) routes: RouteTable,
  ) {
    const { configurationOf, required, disabled, slots: choices, knownPoints = contractPoints } = settings
    const limits = { ...defaultLimits, ...settings.limits }
    const faults = createPluginFaults()
    const standbys = createStandbyPoints()
    const standbyOf = standbys.of
    const environment = {
      ...{ clock, log, redactor, faults, contributions, routes, knownPoints, limits, configurationOf, standbyOf },
      followsHandles: true,
      intrinsics: createIntrinsicsGuard(log),
      imports: createImportTurns({ clock, atOnceMs: limits.setupMs, turnMs: limits.graceMs }),
    }
    const services = new ServiceRegistry()
    const instances = discovered.map((plugin) => createPluginInstance(plugin, environment, services))
    const slots = createPluginSlots(choices, discovered)
    this.#slotPlugins = slots
    const needed = createNeededPlugins({ required, choices, slots, instances, contributions, log })
    const exclusions = createPluginExclusions({ disabled, slots, isOff: (id) => this.#switches?.isOff(id) === true, standbyOf })
    const activations = createActivations({
      ...{ instances, services, environment, required, signal: this.#stopping.signal },
      onOutcome: (instance, outcome) => this.#rounds.settleFirstUse(instance, outcome),
    })
    const shared = { instances, needed, exclusions, contributions, log }
    const rounds = new StartRounds({
      ...{ ...shared, services, environment, activations, signal: this.#stopping.signal },
      exclusively: (work) => this.#exclusively(work),
    })
    this.#slots = createSlotsFactory({
      ...{ points: standbys, slots, exclusions, signal: this.#stopping.signal },
      find: (id) => this.#find(id),
      exclusively: (work) => this.#exclusively(work),
      start: (id) => rounds.startPending(new Set([id])),
      stop: (id, reason) => rounds.stopWithUsers([id], 'disabled', reason),
    })
    this.#environment = environment
    this.#instances = instances
    this.#needed = needed
    this.#exclusions = exclusions
    this.#activations = activations
    this.#rounds = rounds
    this.#boot = createBootPlugins({ ...shared, choices, slots, onOutcome: (instance, outcome) => rounds.settle(instance, outcome) })
  }

  /**
   * Before the database: starts the plugins that fill `database.driver` and `policy.engine`, with
   * only log, clock and their configuration.
   * @throws `plugin_required_failed` with the reason, if no driver is active.
   */
  startBoot(): Promise<DatabaseDriver> {
    return this.#exclusively(() => this.#boot.start())
  }

  /**
   * While the database is being opened: imports the modules of the plugins that {@link start} will
   * start, not of those that will be ready, and runs nothing else of them. An import that fails here fails again when the plugin
   * starts. Resolves when every import has ended; never rejects.
   */
  async loadAhead(): Promise<void> {
    try {
      await this.#openSwitches()
    } catch {
      return
    }
    const startable = startablePlugins({ instances: this.#instances, exclusionOf: this.#exclusions.of }).filter(
      (instance) => this.#activations.offerOf(instance) === undefined,
    )
    // Built-in plugins first: the others wait for imports that have begun.
    const plugins = inOrderOfClaims(startable.flatMap(({ plugin }) => (plugin.status === 'valid' ? [plugin] : [])))
    await Promise.allSettled(
      plugins.map((plugin) => (plugin.entryPath === undefined ? undefined : importModule(plugin.entryPath, plugin, this.#environment))),
    )
  }

  /**
   * Starts every enabled plugin after its requirements, otherwise in parallel; one whose contributions were
   * recorded becomes ready, and starts when one of them is used. Waits for built-in
   * and required plugins; others have a short grace and then go on starting in the background.
   * Resolves with a report; throws only for a required plugin or an empty slot in use.
   */
  start(surroundings: PluginSurroundings): Promise<readonly PluginReport[]> {
    return this.#exclusively(async () => {
      await this.#openSwitches()
      await recordOrder(this.stateDocuments, this.discovered, new Date(this.#environment.clock.now()).toISOString())
      const kernelServices = new Map([...surroundings.kernelServices, [slotsServiceId, this.#slots]])
      const { scheduler } = surroundings
      await this.#rounds.begin({ scheduler, openDatabase: (...given) => surroundings.openDatabase(...given), kernelServices })
      return this.report()
    })
  }

  report(): readonly PluginReport[] {
    return this.#instances.map((instance) => instance.report())
  }

  /** Whether the configuration picks another plugin for the slot that this one is for. */
  missesSlot(id: string): boolean {
    const { plugin } = this.#find(id)
    return plugin.status === 'valid' && this.#slotPlugins.missedBy(plugin) !== undefined
  }

  /** Why the switch of a plugin cannot be moved now; empty if it can. */
  lockedBy(id: string): readonly string[] {
    const { plugin, state } = this.#find(id)
    return state() === 'disabled' ? [this.#exclusions.refusalOf(plugin) ?? []].flat() : this.#needed.neededBy(id)
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
      const reason = this.#exclusions.refusalOf(plugin)
      if (reason !== undefined) throw pluginLockedError.create({ id, reason })
      if (this.#stopping.signal.aborted) throw hostStoppedError.create({})
      if (plugin.status === 'valid') await this.settings.checkConfiguration?.(plugin)
      await this.#setSwitch(id, 'on', announce)
      await instance.starting()
      await this.#rounds.startPending(new Set([id]))
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
      const stopped = isUp(instance.state()) ? await this.#rounds.stopWithUsers([id], 'disabled', 'disabled by an administrator') : []
      await this.#rounds.startPending(new Set())
      return { stopped, report: instance.report() }
    })
  }

  /**
   * Does something that a plugin must not run meanwhile: one that no installed plugin is, or that is
   * switched off. No switch is moved until it has ended.
   * @throws `plugin_data_in_use`.
   */
  whileOff<Result>(id: string, work: () => Promise<Result>): Promise<Result> {
    return this.#exclusively(async () => {
      const state = findInstance(this.#instances, id)?.state()
      if (state !== undefined && state !== 'disabled') throw pluginDataInUseError.create({ id, state })
      return work()
    })
  }

  /**
   * Listens for uncaught errors of the process. An error of a plugin is logged with its id and
   * marks its report; one of a plugin of an earlier host is only logged; any other goes to
   * `onUnowned`, which decides whether the process goes on.
   */
  watchFaults(onUnowned: (error: unknown, kind: EscapedError) => void): Disposer {
    const { faults, log } = this.#environment
    const onFault = (fault: PluginFault): void => this.#find(fault.pluginId).mark(fault)
    const onOther = (error: unknown, kind: EscapedError): void => {
      const plugins = this.#instances.map(({ plugin }) => plugin)
      const pluginId = thrownBy(error, plugins)
      if (pluginId === undefined) onUnowned(error, kind)
      else onFault({ pluginId, kind, error })
    }
    return faults.watch({ onFault, onLeft: (fault) => logLateFault(log, fault), onUnowned: onOther })
  }

  /**
   * After everything has stopped: what plugins from elsewhere opened and left running, once. Until
   * then, and only while such a plugin is there, the host follows what they open.
   */
  takeLeftRunning(): readonly LeftRunning[] {
    return this.#environment.faults.takeLeftRunning()
  }

  /**
   * Stops all in reverse order, except those of the boot phase. Cancels starts under way. Goes on
   * without plugins that take too long. `drainMs`: how long calls under way may take, where that is
   * less than usual. May be called again.
   */
  stop({ drainMs }: { readonly drainMs?: number } = {}): Promise<void> {
    this.#stopping.abort(new DOMException('The service is stopping.', 'AbortError'))
    const cancelled = this.#instances.map((instance) => instance.cancelStart('the service stopped while it started'))
    return this.#exclusively(async () => {
      await Promise.all(cancelled)
      this.#rounds.retries.clear()
      const running = this.#instances.filter((instance) => isUp(instance.state()) && !this.#boot.has(instance))
      const stop = () =>
        stopInOrder(new Set(running.map(({ plugin }) => plugin.id)), running, () => ({ state: 'stopped', reason: null, drainMs }))
      await withTimeLimit(stop, { what: 'stopping all plugins', limitMs: this.#environment.limits.stopMs }).catch((error: unknown) => {
        const late = running.filter((instance) => instance.state() !== 'stopped').map(({ plugin }) => plugin.id)
        this.#environment.log.warn(`The service goes on without plugins that have not stopped: ${late.join(', ')}`, {
          plugins: late,
          error,
        })
      })
      for (const instance of this.#instances) if (instance.state() === 'retrying') instance.set('stopped', null)
    })
  }

  /**
   * After the database is closed: stops the plugins that {@link startBoot} started. May be called
   * again.
   */
  stopBoot(): Promise<void> {
    return this.#exclusively(async () => {
      this.#rounds.retries.clear()
      await this.#boot.stop()
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
    this.#rounds.retries.reset(id)
  }
}
