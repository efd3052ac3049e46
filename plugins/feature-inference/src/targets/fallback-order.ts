import type { TargetSettings } from '../configuration/models-section.js'
import type { Connections } from '../connections/connections.js'
import type { ConfiguredGroup } from './group-registry.js'

/** One model that a group may call. */
export interface Target {
  /** 0 for the group's own model; its fallbacks count from 1, depth first. */
  readonly index: number
  /** Its own settings; it inherits nothing. */
  readonly settings: TargetSettings
  /** Derived from the environment, not configured. */
  readonly implicit: boolean
}

/**
 * The models of a group in the order in which they are tried, depth first. A fallback with a
 * disabled connection is skipped and keeps its number; the group's own model stays and fails.
 */
export function targetsOf(group: ConfiguredGroup, connections: Connections): readonly Target[] {
  const entries = [group.settings, ...nested(group.settings)]
  return entries
    .map((settings, index) => ({ index, settings, implicit: group.implicit }))
    .filter(({ index, settings }) => index === 0 || connections.find(settings.provider)?.settings.enabled !== false)
}

const nested = ({ fallbacks = [] }: TargetSettings): readonly TargetSettings[] => fallbacks.flatMap((entry) => [entry, ...nested(entry)])
