import { existsSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import path from 'node:path'
import { reservedEarlierIdLine, reservedIdLine } from '@agent-service/sdk/host'
import { liesWithin } from '../../disk/lies-within.js'
import { grantProblem, packageFolder, readInstalled } from '../installed/index.js'
import { type OrderEntry, orderPlugins, placeOf } from '../seniority/plugin-order.js'
import { refuseClaimedNames } from './claimed-names.js'
import { comesBefore, type DiscoveredPlugin, type InvalidPlugin, inOrderOfClaims, refuse } from './discovered-plugin.js'
import { type PluginLocation, readPlugin } from './read-plugin.js'
import { extensionClash, refuseSchemaNames } from './refuse-plugins.js'

const packageNamePattern = /^(@[a-z0-9~-][a-z0-9._~-]*\/)?[a-z0-9~-][a-z0-9._~-]*$/

/** Where plugins come from. Every source is named; no other folder is searched. */
export interface DiscoveryOptions {
  /** The folder whose subfolders are the built-in plugins; absolute. */
  readonly builtInFolder: string
  /** `plugins.sources`: names of npm packages, or absolute folders. */
  readonly sources: readonly string[]
  /**
   * The folder of the service's own code, absolute. npm packages are resolved as its imports are,
   * never from the working directory.
   */
  readonly installFolder: string
  /**
   * Folders that the service, its users and their agents write to; absolute. A plugin in one of
   * them, links followed, is refused. Default: none.
   */
  readonly writableFolders?: readonly string[]
  /** Where `agent-service plugins install` puts plugins; absolute. Default: none. */
  readonly installedFolder?: string
  /** Since when third parties are there, as the last start has stored it. Default: all are new. */
  readonly order?: readonly OrderEntry[]
}

/**
 * Reads every plugin's manifest without running its code, disabled ones too. Each source and each
 * built-in folder has an entry; one that cannot be used states the reason. Two plugins with one id
 * exclude each other: the built-in one stays, or the one that was there first; two that are seen for
 * the first time in the same start are both invalid. In order of id.
 */
export async function discoverPlugins(options: DiscoveryOptions): Promise<readonly DiscoveredPlugin[]> {
  const found = await Promise.all([
    ...(await builtInLocations(options.builtInFolder)).map(readPlugin),
    ...options.sources.map((source) => readSource(source, options)),
    ...(await installedPlugins(options)),
  ])
  const each = withoutRepetition(found.filter((plugin) => plugin !== undefined))
  const order = orderPlugins(options.order ?? [], each, '')
  const plugins = inOrderOfClaims(each.map((plugin) => withPlace(plugin, order)))
  const unique = plugins.map((plugin) => refuseTwins(plugin, plugins, order))
  return [...refuseClashes(refuseSchemaNames(unique.map((plugin) => refuseClaimedNames(plugin, unique))))].sort(
    (one, other) => compare(one.id, other.id) || compare(one.source, other.source),
  )
}

function withPlace(plugin: DiscoveredPlugin, order: readonly OrderEntry[]): DiscoveredPlugin {
  const place = placeOf(order, plugin)
  return place === undefined ? plugin : { ...plugin, place }
}

async function builtInLocations(folder: string): Promise<readonly PluginLocation[]> {
  const entries = await readdir(folder, { withFileTypes: true })
  return entries
    .filter((entry) => (entry.isDirectory() || entry.isSymbolicLink()) && !entry.name.startsWith('.') && entry.name !== 'node_modules')
    .map((entry) => ({ folder: path.join(folder, entry.name), source: 'built-in', builtIn: true }))
}

async function installedPlugins({ installedFolder, writableFolders }: DiscoveryOptions): Promise<readonly DiscoveredPlugin[]> {
  if (installedFolder === undefined) return []
  const installed = Object.entries(await readInstalled(installedFolder))
  return Promise.all(
    installed.map(async ([id, entry]) => {
      const folder = packageFolder(installedFolder, id, entry)
      const source = entry.package
      const read = await readOutside({ folder, source }, writableFolders)
      const plugin = identified(read ?? invalidSource(source, `${folder} is missing; install it again`), id)
      const reason = plugin.status === 'valid' ? grantProblem(id, entry, plugin.manifest) : undefined
      const dated = { ...plugin, installedAt: entry.first_installed_at ?? entry.installed_at }
      return reason === undefined ? dated : ({ ...dated, notGranted: reason } as DiscoveredPlugin)
    }),
  )
}

/**
 * Reads a third party's plugin. It is refused if it, or a file that the service loads from it, lies
 * where others can write.
 */
async function readOutside(
  { folder, source }: { readonly folder: string; readonly source: string },
  writableFolders: readonly string[] = [],
): Promise<DiscoveredPlugin | undefined> {
  const holderOf = (place: string): string | undefined => writableFolders.find((writable) => liesWithin(place, writable))
  const holder = holderOf(folder)
  if (holder !== undefined) return invalidSource(source, writableReason(folder, holder))
  const plugin = await readPlugin({ folder, source, builtIn: false })
  if (plugin?.status !== 'valid') return plugin
  const { root, entryPath, manifest } = plugin
  const files = [root, plugin.folder, entryPath, manifest.rules === undefined ? undefined : path.resolve(plugin.folder, manifest.rules)]
  for (const file of files.filter((place) => place !== undefined)) {
    const around = holderOf(file)
    if (around !== undefined) return refuse(plugin, writableReason(file, around))
  }
  return plugin
}

const writableReason = (place: string, holder: string): string =>
  `${place} lies in ${holder}, where agents and users can write. The data folder and its parts must hold no code. Move the plugin out of there`

const invalidSource = (source: string, reason: string): InvalidPlugin => ({
  ...{ status: 'invalid', id: source, version: 'unknown', source, builtIn: false, root: '', reason, problems: [reason] },
  unidentified: true,
})

/** The plugin with the id under which it was installed, if its own files do not say which it is. */
function identified(plugin: DiscoveredPlugin, id: string): DiscoveredPlugin {
  if (plugin.status === 'valid' || plugin.unidentified !== true) return plugin
  const { unidentified: _, ...rest } = plugin
  return { ...rest, id }
}

async function readSource(source: string, options: DiscoveryOptions): Promise<DiscoveredPlugin | undefined> {
  if (path.isAbsolute(source)) return readOutside({ folder: path.normalize(source), source }, options.writableFolders)
  if (!packageNamePattern.test(source))
    return invalidSource(source, 'plugins.sources takes names of npm packages and absolute folders; this is neither')
  const folder = packageBeside(source, options.installFolder)
  if (folder === undefined)
    return invalidSource(source, `the package is not installed beside the service (looked from ${options.installFolder} upwards)`)
  return readOutside({ folder, source }, options.writableFolders)
}

/**
 * Where an import in the install folder would find the package. Packages need not export their
 * package.json, so this walks the folders itself.
 */
function packageBeside(name: string, installFolder: string): string | undefined {
  for (let folder = installFolder; ; folder = path.dirname(folder)) {
    const candidate = path.join(folder, 'node_modules', name)
    if (path.basename(folder) !== 'node_modules' && existsSync(path.join(candidate, 'package.json'))) return candidate
    if (folder === path.dirname(folder)) return undefined
  }
}

/** One plugin per folder, even if the folder is named in two ways. */
function withoutRepetition(plugins: readonly DiscoveredPlugin[]): readonly DiscoveredPlugin[] {
  return plugins.filter((plugin, index) => plugin.root === '' || plugins.findIndex((other) => other.root === plugin.root) === index)
}

function refuseTwins(plugin: DiscoveredPlugin, all: readonly DiscoveredPlugin[], order: readonly OrderEntry[]): DiscoveredPlugin {
  if (plugin.status === 'invalid') return plugin
  const builtIn = all.filter((other) => other.builtIn && other.status === 'valid')
  const builtInIds = builtIn.map(({ id }) => id)
  const reserved = plugin.builtIn
    ? undefined
    : (reservedIdLine(plugin.id, builtInIds) ?? reservedEarlierIdLine(plugin.manifest, builtInIds))
  if (reserved !== undefined) return refuse(plugin, reserved)
  const twins = all.filter(
    (other) => other !== plugin && other.status === 'valid' && other.id === plugin.id && !(plugin.builtIn && !other.builtIn),
  )
  if (twins.length === 0 || twins.every((twin) => cameEarlier(plugin, twin, order))) return plugin
  const first = twins.find((twin) => [plugin, ...twins].every((other) => other === twin || cameEarlier(twin, other, order)))
  const places = [plugin, ...twins].map(({ root }) => root).sort()
  const keeper = first === undefined ? '' : `; the one in ${first.root} was there first and keeps it`
  return refuse(plugin, `several plugins have the id “${plugin.id}”: ${places.join(' and ')}. Remove all but one${keeper}`)
}

/** Whether a plugin was there when its twin was seen for the first time: their ids cannot decide. */
function cameEarlier(one: DiscoveredPlugin, other: DiscoveredPlugin, order: readonly OrderEntry[]): boolean {
  const [first, second] = [order[one.place ?? -1], order[other.place ?? -1]]
  if (first === undefined || second === undefined || !comesBefore(one, other)) return false
  return first.first_seen_at !== second.first_seen_at || first.installed_at !== second.installed_at
}

/**
 * Refuses third parties whose `extends` contradicts a built-in plugin or a third party that came first.
 */
function refuseClashes(plugins: readonly DiscoveredPlugin[]): readonly DiscoveredPlugin[] {
  const accepted = plugins.flatMap((plugin) => (plugin.builtIn && plugin.status === 'valid' ? [plugin.manifest] : []))
  return plugins.map((plugin) => {
    if (plugin.builtIn || plugin.status === 'invalid') return plugin
    const clash = extensionClash(plugin.manifest, accepted)
    if (clash !== undefined) return refuse(plugin, clash)
    accepted.push(plugin.manifest)
    return plugin
  })
}

const compare = (one: string, other: string): number => (one < other ? -1 : one > other ? 1 : 0)
