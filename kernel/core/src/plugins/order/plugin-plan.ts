import type { PluginManifest } from '@agent-service/sdk'

export interface PlannedPlugin {
  readonly id: string
  readonly manifest: Pick<PluginManifest, 'provides' | 'requires' | 'optional'>
  /** Part of the service: a plugin that contradicts it is refused instead. */
  readonly builtIn: boolean
  /** Already running: a plugin that contradicts it is refused instead. */
  readonly running: boolean
  /** Its place among the third parties: of several that contradict each other, the one with the lowest stays. */
  readonly place?: number | undefined
}

export type Placement =
  /** It may start once the plugins in `after` have settled. */
  { readonly outcome: 'start'; readonly after: readonly string[] } | { readonly outcome: 'blocked' | 'invalid'; readonly reason: string }

export interface PlanSurroundings {
  readonly hasKernelService: (service: string) => boolean
  /**
   * Why a service has no provider: `plugin “x” would provide it and is disabled`. `undefined` if no
   * installed plugin has it.
   */
  readonly absenceReason: (service: string) => string | undefined
}

/**
 * Decides from manifests alone which plugins may start, and after which others. Of two providers of one
 * service the later one is `invalid`, and so is every plugin on a cycle; each reason names all of
 * them. A
 * plugin whose requirement is missing or cannot start is `blocked`. Optional uses count for the
 * order and for cycles too, since no plugin may outlive what it uses. Built-in plugins come first:
 * a third party that contradicts one is refused alone. Third parties start after all built-in
 * plugins that do not wait for them, so that built-in plugins claim their names first.
 */
export function planPlugins(plugins: readonly PlannedPlugin[], surroundings: PlanSurroundings): ReadonlyMap<string, Placement> {
  const placements = new Map<string, Placement>()
  const refuse = (id: string, outcome: 'blocked' | 'invalid', reason: string): void => {
    if (!placements.has(id)) placements.set(id, { outcome, reason })
  }
  const providers = providersOf(plugins, (id, reason) => refuse(id, 'invalid', reason))
  const neededBy = (plugin: PlannedPlugin, services: readonly string[] = []): readonly string[] =>
    [...new Set(services.flatMap((service) => providers.get(service) ?? []))].filter((id) => id !== plugin.id)
  const after = new Map(
    plugins.map((plugin) => [plugin.id, neededBy(plugin, [...(plugin.manifest.requires ?? []), ...(plugin.manifest.optional ?? [])])]),
  )

  const builtIn = new Set(plugins.filter((plugin) => plugin.builtIn).map(({ id }) => id))
  for (const { id, cycle } of refusedByCycles(after, builtIn)) {
    const text = [...cycle, cycle[0]].join(' → ')
    refuse(id, 'invalid', `it is part of a cycle of requirements: ${text}. Remove one of these requirements`)
  }
  for (const plugin of plugins) {
    for (const service of plugin.manifest.requires ?? []) {
      if (service.startsWith('kernel.') ? surroundings.hasKernelService(service) : providers.has(service)) continue
      const why = service.startsWith('kernel.')
        ? 'which this version of the service does not have'
        : (surroundings.absenceReason(service) ?? 'which no installed plugin provides')
      refuse(plugin.id, 'blocked', `it requires the service “${service}”, ${why}`)
    }
  }
  spreadBlocks(plugins, placements, providers)
  const startable = plugins.map(({ id }) => id).filter((id) => !placements.has(id))
  const order = afterBuiltIns(startable, after, builtIn)
  for (const id of startable) placements.set(id, { outcome: 'start', after: order.get(id) ?? [] })
  return placements
}

/**
 * The provider of each service. Of several providers the running one stays, or else the only
 * built-in one, or of third parties the one that was there first. Several built-in ones are all
 * refused.
 */
function providersOf(
  plugins: readonly PlannedPlugin[],
  refuse: (id: string, reason: string) => void,
): ReadonlyMap<string, readonly string[]> {
  const all = new Map<string, PlannedPlugin[]>()
  for (const plugin of plugins)
    for (const service of plugin.manifest.provides ?? []) all.set(service, [...(all.get(service) ?? []), plugin])
  const result = new Map<string, readonly string[]>()
  for (const [service, rivals] of all) {
    const builtIn = rivals.filter((rival) => rival.builtIn)
    const keeper =
      rivals.length === 1 ? rivals[0] : (rivals.find(({ running }) => running) ?? (builtIn.length > 0 ? only(builtIn) : firstOf(rivals)))
    const stays = keeper === undefined ? '' : `; “${keeper.id}” ${reasonToStay(keeper)} and keeps it`
    const names = rivals.map(({ id }) => `“${id}”`).join(' and ')
    for (const rival of rivals) {
      if (rival !== keeper)
        refuse(
          rival.id,
          `the service “${service}” is provided by ${names}; a service has one provider. Disable all of them but one${stays}`,
        )
    }
    result.set(service, keeper === undefined ? rivals.map(({ id }) => id) : [keeper.id])
  }
  return result
}

const only = (plugins: readonly PlannedPlugin[]): PlannedPlugin | undefined => (plugins.length === 1 ? plugins[0] : undefined)

/** The one that was there first; `undefined` if that is not known. */
function firstOf(plugins: readonly PlannedPlugin[]): PlannedPlugin | undefined {
  const placed = plugins.flatMap((plugin) => (plugin.place === undefined ? [] : [{ plugin, place: plugin.place }]))
  return placed.sort((one, other) => one.place - other.place)[0]?.plugin
}

const reasonToStay = ({ running, builtIn }: PlannedPlugin): string =>
  running ? 'runs' : builtIn ? 'is part of the service' : 'was there first'

/** Blocks every plugin that requires a plugin which cannot start. */
function spreadBlocks(
  plugins: readonly PlannedPlugin[],
  placements: Map<string, Placement>,
  providers: ReadonlyMap<string, readonly string[]>,
): void {
  for (let changed = true; changed; ) {
    changed = false
    for (const { id, manifest } of plugins) {
      if (placements.has(id)) continue
      for (const service of manifest.requires ?? []) {
        const provider = providers.get(service)?.find((candidate) => placements.has(candidate))
        const placement = provider === undefined ? undefined : placements.get(provider)
        if (provider === undefined || placement === undefined || placement.outcome === 'start') continue
        placements.set(id, {
          outcome: 'blocked',
          reason: `it requires the service “${service}” of plugin “${provider}”, which is ${placement.outcome}: ${placement.reason}`,
        })
        changed = true
        break
      }
    }
  }
}

type Order = ReadonlyMap<string, readonly string[]>

/**
 * The plugins to refuse so that no cycle is left: the third parties of each cycle, or all its
 * plugins if all or none are third parties.
 */
function refusedByCycles(
  after: Order,
  builtIn: ReadonlySet<string>,
): readonly { readonly id: string; readonly cycle: readonly string[] }[] {
  const refused = new Map<string, readonly string[]>()
  for (;;) {
    const left: Order = new Map([...after].filter(([id]) => !refused.has(id)))
    const cycles = findCycles(left)
    if (cycles.length === 0) return [...refused].map(([id, cycle]) => ({ id, cycle }))
    for (const cycle of cycles) {
      const guests = cycle.filter((id) => !builtIn.has(id))
      for (const id of guests.length === 0 ? cycle : guests) refused.set(id, cycle)
    }
  }
}

/**
 * The order in which every third party also waits for the built-in plugins, except those that wait
 * for it.
 */
function afterBuiltIns(startable: readonly string[], after: Order, builtIn: ReadonlySet<string>): Order {
  const order = new Map(after)
  const hosts = startable.filter((id) => builtIn.has(id))
  for (const guest of startable.filter((id) => !builtIn.has(id)).sort()) {
    const free = hosts.filter((host) => pathBetween(host, guest, order) === undefined)
    order.set(guest, [...new Set([...(order.get(guest) ?? []), ...free])])
  }
  return order
}

/** Every group of plugins that wait for each other, as one cycle from its first id. */
function findCycles(after: Order): readonly (readonly string[])[] {
  const cycles: (readonly string[])[] = []
  const seen = new Set<string>()
  for (const start of [...after.keys()].sort()) {
    const cycle = seen.has(start) ? undefined : pathBetween(start, start, after)?.slice(0, -1)
    if (cycle === undefined) continue
    cycles.push(cycle)
    for (const id of cycle) seen.add(id)
  }
  return cycles
}

/**
 * The shortest path from a plugin to one that it waits for, through others or directly, with both
 * ends; `undefined` if it does not wait for it.
 */
function pathBetween(from: string, to: string, order: Order): readonly string[] | undefined {
  const cameFrom = new Map<string, string>()
  const queue = [from]
  for (let id = queue.shift(); id !== undefined; id = queue.shift()) {
    for (const next of order.get(id) ?? []) {
      if (cameFrom.has(next)) continue
      cameFrom.set(next, id)
      queue.push(next)
      if (next === to) return backtrack(from, to, cameFrom)
    }
  }
  return undefined
}

function backtrack(from: string, to: string, cameFrom: ReadonlyMap<string, string>): readonly string[] {
  const path = [to]
  do path.unshift(cameFrom.get(path[0] ?? from) ?? from)
  while (path[0] !== from)
  return path
}
