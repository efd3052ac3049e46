import type { Disposer } from '@agent-service/sdk'
import type { DatabaseDriver } from '@agent-service/sdk/contracts/database-driver'
import type { InjectionToken } from 'tsyringe'
import type { PluginSurroundings } from '../start/plugin-environment.js'
import type { PluginReport } from './plugin-report.js'

/** How a plugin is switched. */
export interface SwitchOptions {
  /** Called when nothing is in the way any more, right before the switch is remembered; a throw leaves everything as it was. */
  readonly announce?: (before: { readonly enabled: boolean }) => Promise<void>
}

/** Starts, stops and watches plugins. One change at a time: calls wait for each other. */
export interface PluginHost {
  /**
   * Before the database: starts the plugins that fill `database.driver` and `policy.engine`, with log, clock and their configuration alone.
   * @throws `plugin_required_failed` with the reason, where there is no driver.
   */
  startBoot(): Promise<DatabaseDriver>
  /**
   * While the database is being opened: imports the modules of the plugins that {@link start} is going to start, and runs nothing else of them. What
   * fails here fails again when the plugin is started. Resolves when every import has ended; never rejects.
   */
  loadAhead(): Promise<void>
  /**
   * Starts every enabled plugin by requirement, in parallel where it may. Built-in and required plugins are waited for; others have a short grace
   * and go on starting behind it. Resolves with a report; throws only for a required plugin or an empty slot in use.
   */
  start(surroundings: PluginSurroundings): Promise<readonly PluginReport[]>
  report(): readonly PluginReport[]
  /** Labels of what a plugin's scope holds now; empty while it does not run. */
  holdings(id: string): readonly string[]
  /** Starts a plugin and those that waited for it. The switch is remembered. @throws `plugin_unknown`, `plugin_locked`, `not_implemented_yet`. */
  enable(id: string, options?: SwitchOptions): Promise<PluginReport>
  /** Stops everything that uses it, then it. Answers with every id that stopped, in order. @throws `plugin_in_use`, `plugin_unknown`. */
  disable(id: string, options?: SwitchOptions): Promise<{ readonly stopped: readonly string[]; readonly report: PluginReport }>
  /**
   * Listens for errors of the process that nobody caught. One of a plugin is logged with its id and marks its report; any other goes to
   * `onUnowned`, which decides whether the process lives on.
   */
  watchFaults(onUnowned: (error: unknown, kind: 'unhandled rejection' | 'uncaught exception') => void): Disposer
  /** Stops all in reverse order, those of the boot phase apart. Starts under way are given up. May be called again. */
  stop(): Promise<void>
  /** After the database was closed: stops what {@link startBoot} started. May be called again. */
  stopBoot(): Promise<void>
}

export const pluginHostToken: InjectionToken<PluginHost> = Symbol('plugin-host')
