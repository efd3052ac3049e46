import { type JsonObject, Type } from '@agent-service/sdk'

const entry = Type.Object({
  id: Type.String(),
  /** A package or a folder, as in the start report. */
  source: Type.String(),
  /** When a start has seen it for the first time. */
  first_seen_at: Type.String(),
  /** When it was installed by command; absent for plugins of `plugins.sources`. */
  installed_at: Type.Optional(Type.String()),
})

/** A third party's plugin, and since when it is there. */
export interface OrderEntry extends JsonObject {
  readonly id: string
  readonly source: string
  readonly first_seen_at: string
  readonly installed_at?: string
}

/** The document `plugin-order`: third parties' plugins, the one that came first at the top. */
export interface OrderDocument extends JsonObject {
  readonly plugins: readonly OrderEntry[]
}

export const orderSchema = Type.Object({ plugins: Type.Array(entry) })

export const orderName = 'plugin-order'

/** What decides about the order. */
export interface SeenPlugin {
  readonly id: string
  readonly source: string
  readonly builtIn: boolean
  readonly status: 'valid' | 'invalid'
  readonly installedAt?: string
}

/**
 * The order of the third parties' plugins that were found. Those of the stored order keep their
 * places, also if `plugins.sources` names another folder or package for their id than before. New
 * ones follow: first those that were installed by command, by the time, then those of
 * `plugins.sources`, by id. A plugin that is gone, or was installed anew, loses its place.
 */
export function orderPlugins(stored: readonly OrderEntry[], found: readonly SeenPlugin[], now: string): readonly OrderEntry[] {
  const guests = found.filter(({ builtIn }) => !builtIn)
  const kept: OrderEntry[] = []
  for (const place of stored) {
    const moved = guests.find((plugin) => hasMoved(plugin, place) && ![...stored, ...kept].some((other) => isOf(plugin, other)))
    if (guests.some((plugin) => holds(plugin, place))) kept.push(place)
    else if (moved) kept.push({ ...place, source: moved.source })
  }
  const fresh = guests
    .filter((plugin) => plugin.status === 'valid' && !kept.some((place) => isOf(plugin, place)))
    .map(({ id, source, installedAt }): OrderEntry => {
      const seen = { id, source, first_seen_at: now }
      return installedAt === undefined ? seen : { ...seen, installed_at: installedAt }
    })
    .sort((one, other) => compareTimes(one, other) || compare(one.id, other.id) || compare(one.source, other.source))
  return [...kept, ...fresh]
}

/** The place of a plugin in the order, the first is 0; `undefined` if it has none. */
export function placeOf(order: readonly OrderEntry[], plugin: SeenPlugin): number | undefined {
  const index = plugin.builtIn ? -1 : order.findIndex((place) => isOf(plugin, place))
  return index < 0 ? undefined : index
}

/** A source that cannot be read now keeps the place of its plugin, whose id is then unknown. */
const holds = (plugin: SeenPlugin, place: OrderEntry): boolean =>
  isOf(plugin, place) || (plugin.status === 'invalid' && plugin.source === place.source && plugin.installedAt === place.installed_at)

const isOf = ({ id, source, installedAt }: SeenPlugin, place: OrderEntry): boolean =>
  id === place.id && source === place.source && installedAt === place.installed_at

/** Whether `plugins.sources` names this plugin elsewhere, as in a folder for each version. */
const hasMoved = ({ id, status, installedAt }: SeenPlugin, place: OrderEntry): boolean =>
  status === 'valid' && id === place.id && installedAt === undefined && place.installed_at === undefined

const compareTimes = ({ installed_at: one = '~' }: OrderEntry, { installed_at: other = '~' }: OrderEntry): number => compare(one, other)

const compare = (one: string, other: string): number => (one < other ? -1 : one > other ? 1 : 0)
