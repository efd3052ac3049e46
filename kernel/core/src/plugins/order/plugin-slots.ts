import { type JsonValue, type PluginManifestFile, schemaAnnotations } from '@agent-service/sdk'
import { slotKeyOf } from '@agent-service/sdk/host'
import { valueAt } from '../../config/effective/resolve-paths.js'
import type { DiscoveredPlugin, ValidPlugin } from '../discover/discovered-plugin.js'

/** A slot and the contribution that the configuration picks for it. */
export interface SlotChoice {
  /** The point's id: `database.driver`. */
  readonly point: string
  /** The key of the wanted contribution: `sqlite`. */
  readonly key: string
  /** The setting that picks it, for messages. */
  readonly setting: string
  /** The service runs without it: the slot may stay empty. Default false. */
  readonly optional?: boolean
}

/**
 * The slots that settings of sections pick for (`x-slot`), by the configuration. They may stay
 * empty.
 */
export function slotsOfSections(
  discovered: readonly DiscoveredPlugin[],
  configurationOf: (manifest: PluginManifestFile) => unknown,
): readonly SlotChoice[] {
  return discovered.flatMap((plugin) => {
    if (plugin.status !== 'valid') return []
    return Object.entries(plugin.manifest.sections ?? {}).flatMap(([section, schema]) => {
      const members = Object.entries((schema as { readonly properties?: Readonly<Record<string, unknown>> }).properties ?? {})
      return members.flatMap(([member, node]): readonly SlotChoice[] => {
        const point = (node as Readonly<Record<string, unknown>>)[schemaAnnotations.slot]
        const key = valueAt(configurationOf(plugin.manifest) as JsonValue, [section, member])
        if (typeof point !== 'string' || typeof key !== 'string' || key === '') return []
        return [{ point, key, setting: `${section}.${member}`, optional: true }]
      })
    })
  })
}

/**
 * The choice for a slot that no setting picks for: the only plugin for it that may run. Empty if
 * there is none, or several.
 */
export function slotOfOnlyPlugin(
  point: string,
  discovered: readonly DiscoveredPlugin[],
  mayRun: (plugin: ValidPlugin) => boolean,
): readonly SlotChoice[] {
  const [only, ...others] = discovered.filter(
    (plugin): plugin is ValidPlugin => plugin.status === 'valid' && plugin.manifest.contributes?.includes(point) === true && mayRun(plugin),
  )
  return only && others.length === 0 ? [{ point, key: slotKeyOf(point, only.id), setting: `the slot ${point}`, optional: true }] : []
}

export type PluginSlots = ReturnType<typeof createPluginSlots>

/** Assigns plugins to slots by id, from manifests alone, never by the order of discovery. */
export function createPluginSlots(choices: readonly SlotChoice[], discovered: readonly DiscoveredPlugin[]) {
  const find = (point: string, key: string): ValidPlugin | undefined => {
    const candidates = discovered.filter((plugin) => plugin.status === 'valid').filter((plugin) => isFor(plugin, { point }))
    const named = (id: string): ValidPlugin | undefined => candidates.find((plugin) => plugin.id === id)
    return named(`${point.split('.')[0] ?? ''}-${key}`) ?? named(key)
  }
  const picked = new Map<SlotChoice, ValidPlugin | undefined>(choices.map((choice) => [choice, find(choice.point, choice.key)]))
  return {
    /** The plugin for a contribution to a slot, whether it is picked or not. */
    find,
    /** The plugin for a slot: `<first word of the point>-<key>`, or one whose id is the key. */
    pick: (choice: SlotChoice): ValidPlugin | undefined => picked.get(choice),
    filledBy: (id: string): SlotChoice | undefined => choices.find((choice) => picked.get(choice)?.id === id),
    /** The slot that a plugin is for, if the configuration picks another plugin. */
    missedBy: (plugin: ValidPlugin): SlotChoice | undefined =>
      choices.find((choice) => isFor(plugin, choice) && picked.get(choice)?.id !== plugin.id),
  }
}

const isFor = (plugin: ValidPlugin, { point }: Pick<SlotChoice, 'point'>): boolean => plugin.manifest.contributes?.includes(point) === true
