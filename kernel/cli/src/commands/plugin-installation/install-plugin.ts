import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, realpath, rename, rm } from 'node:fs/promises'
import path from 'node:path'
import { loadConfiguration, writableFolders } from '@agent-service/kernel-core/config'
import { discoverPlugins, type ValidPlugin } from '@agent-service/kernel-core/plugins'
import {
  type InstalledPlugin,
  type InstalledPlugins,
  installationFolder,
  manifestHash,
  packageFolder,
  readInstalled,
  requestedAccess,
} from '@agent-service/kernel-core/plugins/installed'
import type { JsonObject } from '@agent-service/sdk'
import type { Invocation } from '../invocation.js'
import { noteCommand } from '../note-command.js'
import { pluginChangedError, pluginNotInstallableError, pluginNotInstalledError } from './errors.js'
import { fetchPackage } from './fetch-package.js'
import { withInstallationLock, writeInstalled } from './installed-list.js'

/** The folder of installed plugins, with its contents. */
export interface Installed {
  readonly folder: string
  readonly plugins: InstalledPlugins
}

/** An installed plugin with its manifest. */
export interface InstalledManifest {
  readonly installed: InstalledPlugin
  readonly plugin: ValidPlugin
}

type Where = Pick<Invocation, 'environment' | 'workingDirectory' | 'installation'>

/**
 * How long a command waits for another one that is moving its plugin in place. npm runs without the
 * lock, in its own folder.
 */
const lockTimeoutMs = 10_000

async function folderOf({ environment, workingDirectory, installation }: Where): Promise<string> {
  const { serverDataDir } = await loadConfiguration({ environment, workingDirectory, installedResources: installation.installedResources })
  return installationFolder(environment, { workingDirectory, serverDataDir })
}

/** Reads what is installed in this deployment. */
export async function openInstalled(invocation: Where): Promise<Installed> {
  const folder = await folderOf(invocation)
  return { folder, plugins: await readInstalled(folder) }
}

/**
 * Installs a plugin, or another version of one. An earlier grant stays valid if the new version
 * asks for no more. No code of the plugin runs. @throws `plugin_not_installable`, `npm_failed`,
 * `plugin_installation_busy`; then nothing has changed.
 */
export async function installPlugin(source: string, invocation: Where): Promise<InstalledManifest> {
  const folder = await folderOf(invocation)
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const staging = await mkdtemp(path.join(await realpath(folder), '.staging-'))
  try {
    const fetched = await fetchPackage(source, { folder: staging, ...invocation })
    const plugin = await readFetched(path.join(staging, 'node_modules', fetched.name), source, invocation)
    return await withInstallationLock(folder, lockTimeoutMs, async () => {
      const plugins = await readInstalled(folder)
      const before = plugins[plugin.id]
      const now = new Date().toISOString()
      const installed: InstalledPlugin = {
        ...{ package: fetched.name, version: plugin.version, source, integrity: fetched.integrity },
        installed_at: now,
        first_installed_at: before?.first_installed_at ?? before?.installed_at ?? now,
        manifest: manifestHash(plugin.manifest),
        ...(before?.grant === undefined ? {} : { grant: before.grant }),
      }
      await noteCommand(invocation, 'plugins install', {
        ...{ kind: 'plugin.installed', subjectId: plugin.id, details: { source: withoutPassword(source) } },
        ...{ before: before && stateOf(before), after: stateOf(installed) },
      })
      const home = path.join(folder, plugin.id)
      await rm(home, { recursive: true, force: true })
      await rename(staging, home)
      await writeInstalled(folder, { ...plugins, [plugin.id]: installed })
      return { installed, plugin }
    })
  } finally {
    await rm(staging, { recursive: true, force: true })
  }
}

/** The plugin in a fetched package, as the service would find it beside its own. */
async function readFetched(
  packagePlace: string,
  source: string,
  { installation, environment, workingDirectory }: Where,
): Promise<ValidPlugin> {
  const root = await realpath(packagePlace)
  const { installedResources, builtInFolder, installFolder } = installation
  const { kernel, serverDataDir } = await loadConfiguration({ environment, workingDirectory, installedResources })
  const writable = writableFolders(kernel, serverDataDir).map(({ folder }) => folder)
  const discovered = await discoverPlugins({ builtInFolder, installFolder, sources: [root], writableFolders: writable })
  const plugin = discovered.find((candidate) => candidate.root === root) ?? discovered.find((candidate) => candidate.source === root)
  if (plugin?.status === 'valid') return plugin
  throw pluginNotInstallableError.create({ source, reason: plugin?.reason ?? 'it is not a plugin' })
}

/**
 * Returns an installed plugin with its current manifest. @throws `plugin_not_installed`,
 * `plugin_not_installable`.
 */
export async function findInstalled(id: string, invocation: Where): Promise<InstalledManifest & Installed> {
  const { folder, plugins } = await openInstalled(invocation)
  const installed = plugins[id]
  if (installed === undefined) throw pluginNotInstalledError.create({ id, known: Object.keys(plugins) })
  return { folder, plugins, installed, plugin: await readFetched(packageFolder(folder, id, installed), installed.source, invocation) }
}

/**
 * Grants an installed plugin everything that the manifest of `shown` asks for, which a person has
 * seen. @throws `plugin_changed` if another manifest has taken its place since.
 */
export async function grantPlugin(
  shown: ValidPlugin,
  invocation: Where,
  command: 'plugins install' | 'plugins grant',
): Promise<InstalledManifest> {
  const { id } = shown
  return withInstallationLock(await folderOf(invocation), lockTimeoutMs, async () => {
    const { folder, plugins, installed, plugin } = await findInstalled(id, invocation)
    if (manifestHash(plugin.manifest) !== manifestHash(shown.manifest)) throw pluginChangedError.create({ id })
    const grant = { reaches: [...requestedAccess(plugin.manifest)], granted_at: new Date().toISOString() }
    const granted: InstalledPlugin = { ...installed, manifest: manifestHash(plugin.manifest), grant }
    await noteCommand(invocation, command, {
      ...{
        kind: 'plugin.granted',
        subjectId: id,
        before: { reaches: installed.grant?.reaches ?? null },
        after: { reaches: grant.reaches },
      },
    })
    await writeInstalled(folder, { ...plugins, [id]: granted })
    return { installed: granted, plugin }
  })
}

/** Removes an installed plugin. Its data in the database stays. @throws `plugin_not_installed`. */
export async function removePlugin(id: string, invocation: Where): Promise<InstalledPlugin> {
  const find = async () => {
    const { folder, plugins } = await openInstalled(invocation)
    const { [id]: removed, ...rest } = plugins
    if (removed === undefined) throw pluginNotInstalledError.create({ id, known: Object.keys(plugins) })
    return { folder, removed, rest }
  }
  // Before the lock, too, which makes the folder where nothing is installed.
  await find()
  return withInstallationLock(await folderOf(invocation), lockTimeoutMs, async () => {
    const { folder, removed, rest } = await find()
    await noteCommand(invocation, 'plugins remove', { kind: 'plugin.removed', subjectId: id, before: stateOf(removed) })
    await writeInstalled(folder, rest)
    const own = path.join(folder, id)
    if (existsSync(own)) await rm(own, { recursive: true })
    return removed
  })
}

/** An installed plugin for the audit log. */
const stateOf = ({ package: name, version, integrity, grant }: InstalledPlugin): JsonObject => ({
  ...{ package: name, version, integrity },
  granted: grant !== undefined,
})

/** A URL may contain one. */
const withoutPassword = (source: string): string => source.replace(/\/\/[^/?#]*@/, '//…@')
