import type { Disposer } from '@agent-service/sdk'
import type { DatabaseDriver } from '@agent-service/sdk/contracts/database-driver'
import type { InjectionToken } from 'tsyringe'
import type { PluginSurroundings } from '../start/plugin-environment.js'
import type { PluginReport } from './plugin-report.js'

/** How a plugin is switched. */
export interface SwitchOptions {
  /** Called after all checks, right before the switch is stored. If it throws, nothing changes. */
  readonly announce?: (before: { readonly enabled: boolean }) => Promise<void>
}

/** Starts, stops and monitors plugins. One change at a time: calls wait for each other. */
export interface PluginHost {
  /**
   * Before the database: starts the plugins that fill `database.driver` and `policy.engine`, with
   * only log, clock and their configuration.
   * @throws `plugin_required_failed` with the reason, if no driver is active.
   */
  startBoot(): Promise<DatabaseDriver>
  /**
   * While the database is being opened: imports the modules of the plugins that {@link start} will
   * start, and runs nothing else of them. An import that fails here fails again when the plugin
   * starts. Resolves when every import has ended; never rejects.
   */
  loadAhead(): Promise<void>
  /**
   * Starts every enabled plugin after its requirements, otherwise in parallel. Waits for built-in
   * and required plugins; others have a short grace and then go on starting in the background.
   * Resolves with a report; throws only for a required plugin or an empty slot in use.
   */
  start(surroundings: PluginSurroundings): Promise<readonly PluginReport[]>
  report(): readonly PluginReport[]
  /** Labels of everything in a plugin's scope; empty while it does not run. */
  holdings(id: string): readonly string[]
  /**
   * Starts a plugin and those that waited for it. The switch is stored.
   * @throws `plugin_unknown`, `plugin_locked`, `not_implemented_yet`.
   */
  enable(id: string, options?: SwitchOptions): Promise<PluginReport>
  /**
   * Stops every plugin that uses it, then the plugin. Returns the ids of all stopped plugins, in
   * order.
   * @throws `plugin_in_use`, `plugin_unknown`.
   */
  disable(id: string, options?: SwitchOptions): Promise<{ readonly stopped: readonly string[]; readonly report: PluginReport }>
  /**
   * Listens for uncaught errors of the process. An error of a plugin is logged with its id and
   * marks its report; any other goes to `onUnowned`, which decides whether the process goes on.
   */
  watchFaults(onUnowned: (error: unknown, kind: 'unhandled rejection' | 'uncaught exception') => void): Disposer
  /**
   * Stops all in reverse order, except those of the boot phase. Cancels starts under way. May be
   * called again.
   */
  stop(): Promise<void>
  /**
   * After the database is closed: stops the plugins that {@link startBoot} started. May be called
   * again.
   */
  stopBoot(): Promise<void>
}

export const pluginHostToken: InjectionToken<PluginHost> = Symbol('plugin-host')
