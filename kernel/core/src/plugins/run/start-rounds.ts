import type { Logger } from '@agent-service/sdk'
import type { ContributionRegistry } from '../contributions/contribution-registry.js'
import type { PluginEnvironment, PluginSurroundings } from '../start/plugin-environment.js'
import type { ServiceRegistry } from '../start/service-registry.js'
import type { Activations } from './activations.js'
import type { NeededPlugins } from './needed-plugins.js'
import { createEvictions } from './plugin-collisions.js'
import type { PluginExclusions } from './plugin-exclusions.js'
import type { PluginInstance, StartOutcome } from './plugin-instance.js'
import { stopInOrder, withUsers } from './plugin-links.js'
import { isUp } from './plugin-report.js'
import { createRetries, type Retries } from './retries.js'
import { startPlugins, withStaleLinks } from './start-plugins.js'

/** How long after a stop is looked at what a plugin left running, in milliseconds. */
const leftRunningAfterMs = 1_000

/** What the rounds of one host work on. */
interface RoundDependencies {
  readonly instances: readonly PluginInstance[]
  readonly services: ServiceRegistry
  readonly environment: PluginEnvironment
  readonly contributions: ContributionRegistry
  readonly needed: NeededPlugins
  readonly exclusions: PluginExclusions
  readonly activations: Activations
  readonly log: Logger
  /** Aborted when the host stops: no more plugins start. */
  readonly signal: AbortSignal
  /** Runs work after the changes of the host that are under way. */
  readonly exclusively: (work: () => Promise<void>) => Promise<void>
}

/** Starts plugins round by round, again after a delay, and without those that took a name. */
export class StartRounds {
  readonly retries: Retries
  readonly #evictions = createEvictions()
  readonly #given: RoundDependencies
  #surroundings: PluginSurroundings | undefined
  /** The start has ended: from now on needed plugins must not be stopped. */
  #isUp = false

  constructor(given: RoundDependencies) {
    this.#given = given
    this.retries = createRetries(given.environment.clock, (id) => this.#retry(id))
  }

  /** The first round. @throws if a needed plugin is not active after it. */
  async begin(surroundings: PluginSurroundings): Promise<void> {
    this.#surroundings = surroundings
    await this.startPending(new Set(), 'for the needed')
    this.#given.contributions.settle()
    this.#given.needed.requireActive()
    this.#isUp = true
  }

  /**
   * Starts every plugin that may start. Plugins that run without a service that has become
   * available are restarted, until nothing changes. With a grace, plugins that are not needed may
   * go on starting in the background; each then starts the plugins that waited for it. A third
   * party that took a name of a plugin that comes before it is stopped. Before {@link begin} this does
   * nothing.
   */
  async startPending(again: ReadonlySet<string>, waits: 'for all' | 'for the needed' = 'for all'): Promise<void> {
    const surroundings = this.#surroundings
    if (surroundings === undefined) return
    const { instances, services, environment, contributions, needed, exclusions, activations, signal } = this.#given
    const { clock, limits } = environment
    const grace = { clock, ms: limits.graceMs, isNeeded: needed.isAwaited }
    let tried = again
    for (let round = 0; round <= 2 * instances.length; round += 1) {
      const open = await startPlugins({
        ...{ instances, services, surroundings, activations, again: tried, signal, exclusionOf: exclusions.of },
        onStarting: (points, started) => contributions.expect(points, started),
        onOutcome: (instance, outcome) => this.settle(instance, outcome),
        ...(waits === 'for all' ? {} : { grace }),
      })
      for (const start of open) void start.then(() => this.#inBackground(() => this.startPending(new Set(), 'for the needed')))
      if (signal.aborted) return
      tried = await this.#evict()
      if (tried.size > 0) continue
      const stale = withStaleLinks(instances, services)
      if (stale.length === 0) return
      await this.stopWithUsers(stale, 'stopped', 'restarting, because a service that it uses has become available')
    }
  }

  /** Plans what follows from a start: another one later, or the stop of a rival. */
  settle(instance: PluginInstance, outcome: StartOutcome): void {
    const { id } = instance.plugin
    if (outcome.state === 'failed' && outcome.collision !== undefined) this.#evictions.note(instance, outcome.collision)
    if (outcome.state === 'retrying' && !this.#given.signal.aborted) this.retries.plan(id, outcome.retryAfterMs)
    else this.retries.reset(id)
  }

  /**
   * After the first use of a plugin that was ready: those that could not do without it are blocked, and one that
   * contributes something else than it offered starts with that.
   */
  settleFirstUse(instance: PluginInstance, outcome: StartOutcome): void {
    this.settle(instance, outcome)
    if (outcome.state === 'active' || this.#given.signal.aborted) return
    const again = this.#given.activations.differs(instance) ? [instance.plugin.id] : []
    this.#inBackground(() => this.startPending(new Set(again), 'for the needed'))
  }

  /** Stops plugins and all that use them. Resolves to the ids in the order in which they stopped. */
  async stopWithUsers(ids: readonly string[], state: 'stopped' | 'disabled' | 'failed', reason: string): Promise<readonly string[]> {
    const running = this.#given.instances.filter((instance) => isUp(instance.state()) || instance.starting() !== undefined)
    const stopped = await stopInOrder(withUsers(ids, running), running, (instance) => {
      const own = ids.includes(instance.plugin.id)
      return own ? { state, reason } : { state: 'stopped', reason: `stopped before plugin “${ids.join('”, “')}”, which it uses` }
    })
    for (const id of stopped) this.#nameLeftRunning(id)
    return stopped
  }

  /** What is closed at a stop may take a moment to end. */
  #nameLeftRunning(id: string): void {
    const { environment, log, signal } = this.#given
    const openedBefore = environment.faults.openedBy(id)
    if (openedBefore === undefined) return
    environment.clock.after(leftRunningAfterMs, () => {
      const what = signal.aborted ? undefined : openedBefore()
      if (what === undefined) return
      log.warn(`Plugin “${id}” left running when it stopped: ${what}. That goes on until the process of the service ends.`, { plugin: id })
    })
  }

  #retry(id: string): void {
    this.#inBackground(async () => {
      if (!this.#given.instances.some((instance) => instance.plugin.id === id && instance.state() === 'retrying')) return
      // Before {@link begin} a plugin of the boot phase goes on waiting.
      if (this.#surroundings === undefined) this.retries.plan(id, undefined)
      else await this.startPending(new Set([id]))
    })
  }

  #inBackground(work: () => Promise<void>): void {
    const { signal, exclusively, log } = this.#given
    exclusively(async () => {
      if (!signal.aborted) await work()
    }).catch((error: unknown) => log.error('Starting plugins failed', { error }))
  }

  /** Stops third parties that made plugins fail which come before them. Returns the plugins to retry. */
  async #evict(): Promise<ReadonlySet<string>> {
    const { instances, needed } = this.#given
    const freed = new Set<string>()
    for (const { id, claimant, reason } of this.#evictions.take(instances)) {
      // A plugin that the running service needs stays: disabling it would be refused, too.
      if (this.#isUp && needed.neededBy(id).length > 0) continue
      await this.stopWithUsers([id], 'failed', reason)
      freed.add(claimant)
    }
    return freed
  }
}
