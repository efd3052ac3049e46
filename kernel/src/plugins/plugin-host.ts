import type { PluginReport } from './plugin-report.js'

/** Starts, stops and watches plugins. */
export interface PluginHost {
  /** Starts every enabled plugin by requirement, in parallel where it may. Resolves with a report; throws only for a required plugin or an empty slot in use. */
  start(): Promise<readonly PluginReport[]>
  report(): readonly PluginReport[]
  /** Starts a plugin and those that waited for it. The switch is remembered. @throws `plugin_unknown`, `plugin_locked`, `not_implemented_yet`. */
  enable(id: string): Promise<PluginReport>
  /** Stops everything that uses it, then it. Answers with every id that stopped, in order. @throws `plugin_in_use`, `plugin_unknown`. */
  disable(id: string): Promise<{ readonly stopped: readonly string[]; readonly report: PluginReport }>
  /** Stops all in reverse order. May be called again. */
  stop(): Promise<void>
}
