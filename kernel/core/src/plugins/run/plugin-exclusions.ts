import type { DiscoveredPlugin, ValidPlugin } from '../discover/discovered-plugin.js'
import type { PluginSlots } from '../order/plugin-slots.js'

/** Why a plugin must not run. */
export interface Exclusion {
  readonly state: 'disabled' | 'declared'
  readonly reason: string
}

export type PluginExclusions = ReturnType<typeof createPluginExclusions>

/**
 * The reasons for which plugins do not run: their stage, a slot that is filled by another plugin,
 * `plugins.disabled`, a missing grant, the switch of an administrator.
 */
export function createPluginExclusions(options: {
  readonly disabled: readonly string[]
  readonly slots: PluginSlots
  readonly isOff: (id: string) => boolean
  /** The point for which a plugin runs beside the one that fills its slot. Default: none does. */
  readonly standbyOf?: (id: string) => string | undefined
}) {
  const { disabled, slots, isOff, standbyOf } = options
  const lockOf = (id: string): string | undefined =>
    disabled.includes(id) ? 'disabled by plugins.disabled of the configuration (locked)' : undefined
  const missedSlotOf = (plugin: ValidPlugin): string | undefined => {
    const missed = slots.missedBy(plugin)
    if (missed !== undefined && standbyOf?.(plugin.id) === missed.point) return undefined
    return missed && `not selected by ${missed.setting} (which is “${missed.key}”)`
  }
  return {
    /** By the configuration. */
    lockOf,
    /** What forbids that an administrator switches the plugin on. */
    refusalOf: (plugin: DiscoveredPlugin): string | undefined =>
      lockOf(plugin.id) ?? (plugin.status === 'valid' ? (missedSlotOf(plugin) ?? plugin.notGranted) : undefined),
    /** Undefined if the plugin may run. */
    of({ plugin }: { readonly plugin: DiscoveredPlugin }): Exclusion | undefined {
      if (plugin.status === 'invalid') return undefined
      if (plugin.manifest.stage === 'declared')
        return { state: 'declared', reason: 'its settings are known, but its code does not exist yet' }
      const switchedOff = isOff(plugin.id) ? 'disabled by an administrator' : undefined
      const reason = missedSlotOf(plugin) ?? lockOf(plugin.id) ?? plugin.notGranted ?? switchedOff
      return reason === undefined ? undefined : { state: 'disabled', reason }
    },
  }
}
