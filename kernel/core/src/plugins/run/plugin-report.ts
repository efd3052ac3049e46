import type { PluginPermission } from '@agent-service/sdk'

export const pluginStates = [
  'discovered',
  'disabled',
  'declared',
  'invalid',
  'blocked',
  'ready',
  'starting',
  'active',
  'retrying',
  'stopping',
  'stopped',
  'failed',
] as const

export type PluginState = (typeof pluginStates)[number]

/** Whether what a plugin contributes can be used: it runs, or starts with the first use. */
export const isUp = (state: string): boolean => state === 'active' || state === 'ready'

/**
 * One plugin in the start report. Every discovered folder has one, with a reason if it is neither active nor
 * ready.
 */
export interface PluginReport {
  readonly id: string
  readonly version: string
  /** `built-in`, a package name, or a folder. */
  readonly source: string
  readonly state: PluginState
  /** All problems in one text, which is cut after 1,000 characters. */
  readonly reason: string | null
  /** Every reason why it does not run, one line each, none of them cut; empty while there is none. */
  readonly problems: readonly string[]
  readonly contributes: readonly string[]
  readonly permissions: readonly PluginPermission[]
  /** Duration of import and setup; null before. */
  readonly started_ms: number | null
}

/** For a person: `25 are running, 31 start when they are used`. */
export function pluginCounts(report: readonly Pick<PluginReport, 'state'>[]): string {
  const count = (state: PluginState): number => report.filter((plugin) => plugin.state === state).length
  return `${count('active')} are running, ${count('ready')} start when they are used`
}
