import type { DiscoveredPlugin, ValidPlugin } from './discovered-plugin.js'

/** A slot and what the configuration picks for it. */
export interface SlotChoice {
  /** The point's id: `database.driver`. */
  readonly point: string
  /** The key of the contribution that is wanted: `sqlite`. */
  readonly key: string
  /** The setting that picks it, for messages. */
  readonly setting: string
}

/** Which plugin fills which slot. */
export interface PluginSlots {
  /** The plugin for a slot: `<first word of the point>-<key>`, or one whose id is the key. */
  pick(choice: SlotChoice): ValidPlugin | undefined
  /** The slot that a plugin fills. */
  filledBy(id: string): SlotChoice | undefined
  /** The slot that a plugin is for, while the configuration picks another. */
  missedBy(plugin: ValidPlugin): SlotChoice | undefined
}

/** Decides by id, from manifests alone; never by the order in which plugins were found. */
export function createPluginSlots(choices: readonly SlotChoice[], discovered: readonly DiscoveredPlugin[]): PluginSlots {
  const picked = new Map<SlotChoice, ValidPlugin | undefined>(
    choices.map((choice) => {
      const candidates = discovered.filter((plugin) => plugin.status === 'valid').filter((plugin) => isFor(plugin, choice))
      const named = (id: string): ValidPlugin | undefined => candidates.find((plugin) => plugin.id === id)
      return [choice, named(`${choice.point.split('.')[0] ?? ''}-${choice.key}`) ?? named(choice.key)]
    }),
  )
  return {
    pick: (choice) => picked.get(choice),
    filledBy: (id) => choices.find((choice) => picked.get(choice)?.id === id),
    missedBy: (plugin) => choices.find((choice) => isFor(plugin, choice) && picked.get(choice)?.id !== plugin.id),
  }
}

const isFor = (plugin: ValidPlugin, choice: SlotChoice): boolean => plugin.manifest.contributes?.includes(choice.point) === true
