import type { Contribution, ContributionPoint } from '../core/contribution-point.js'
import type { Disposer } from '../core/disposer.js'
import type { Logger } from '../core/logger.js'
import type { ServicePerPlugin } from '../core/service-per-plugin.js'
import type { ServiceReference } from '../core/service-reference.js'
import type { PluginManifest } from '../manifest/plugin-manifest.js'
import type { MustDeclare, MustDeclareUse, UsedService, UseOptions } from './declared.js'

/**
 * What a plugin gets from its host. Frozen, made for one start of one plugin. Everything that the
 * plugin opens through it belongs to the plugin's scope. The host undoes that in reverse order when
 * the plugin stops, fails or times out.
 *
 * `contribute`, `provide`, `use` and `onStopping` work during `setup` only; afterwards they throw.
 * Inside `definePlugin` the compiler knows the manifest and reports what it does not list; the host
 * checks it again.
 */
export interface PluginContext<Configuration = unknown, Manifest extends PluginManifest = PluginManifest> {
  /** The id of the manifest. */
  readonly pluginId: string
  /** The validated configuration, defaults filled in. */
  readonly config: Configuration
  /** The plugin's own log: every line carries its id. */
  readonly log: Logger
  /**
   * Aborted when the plugin stops and its calls in flight have had their time to end. Pass it to
   * everything that waits.
   */
  readonly signal: AbortSignal
  /**
   * Adds a contribution to a point that the manifest lists. It becomes visible to others when the
   * whole of `setup` has succeeded.
   * @throws a `plugin_undeclared` error when the manifest does not list the point, a
   * `duplicate_contribution` error when the key is taken.
   */
  contribute<T extends Contribution, Id extends string>(
    point: ContributionPoint<T, Id> & MustDeclare<Manifest, 'contributes', Id>,
    contribution: NoInfer<T>,
  ): void
  /**
   * Provides a service that the manifest lists in `provides`. Users get this very object, or each
   * its own if it is a `servicePerPlugin`.
   */
  provide<T, Id extends string>(
    reference: ServiceReference<T, Id> & MustDeclare<Manifest, 'provides', Id>,
    service: NoInfer<T> | ServicePerPlugin<NoInfer<T>>,
  ): void
  /**
   * Returns the service of a reference: the provider's object itself, not a proxy. It stays
   * valid as long as this plugin runs, because a plugin never outlives the providers of what it
   * uses. The manifest lists the service in `requires` or `optional`, unless it is the kernel's. A
   * service that is listed in `optional`, or asked for with `{ optional: true }`, may be
   * `undefined`.
   */
  use<T, Id extends string, Options extends UseOptions | undefined = undefined>(
    reference: ServiceReference<T, Id> & MustDeclareUse<Manifest, Id>,
    options?: Options,
  ): UsedService<T, Id, Manifest, Options>
  /**
   * Runs `hook` when the plugin is about to stop. Everything still works, and the host waits for
   * calls in flight afterwards, so the hook can end what they wait for. Of plugins that stop
   * together, all hooks run before anything is withdrawn, each plugin after those that use it.
   * Calls may still begin; from then on the plugin refuses what would keep them waiting. Hooks run
   * once, the newest first, each within a time limit. Where `setup` fails, each runs in its place
   * among the disposers.
   */
  onStopping(hook: () => void | Promise<void>): void
  /**
   * Runs `dispose` when the plugin stops and its calls in flight have ended, in reverse order of
   * registration, each within a time limit.
   */
  onDispose(dispose: Disposer): void
}
