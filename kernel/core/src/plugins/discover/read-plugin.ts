import { readFileSync, realpathSync, statSync } from 'node:fs'
import path from 'node:path'
import type { PluginManifestFile, Problem } from '@agent-service/sdk'
import { checkManifestFile, manifestLines, maxManifestBytes, pluginIdPattern, thirdPartyLines } from '@agent-service/sdk/host'
import { isBundled } from '../../modules/import-file.js'
import type { DiscoveredPlugin, InvalidPlugin, PluginOrigin } from './discovered-plugin.js'
import { checkPaths, checkTree, gateRefusedError, resolveInside } from './file-gates.js'

export interface PluginLocation {
  readonly folder: string
  readonly source: string
  readonly builtIn: boolean
}

/**
 * Reads one plugin's package.json and plugin.json and checks its files, without running its code.
 * Any fault becomes the reason of an invalid plugin. `undefined` for an entry of the built-in
 * folder that does not declare itself a plugin.
 */
export async function readPlugin(location: PluginLocation): Promise<DiscoveredPlugin | undefined> {
  let origin: PluginOrigin = {
    id: path.basename(location.folder),
    version: 'unknown',
    source: location.source,
    builtIn: location.builtIn,
    root: location.folder,
  }
  let isNamed = false
  const invalid = (reason: string, problems: readonly string[] = [reason]): InvalidPlugin => ({
    ...origin,
    status: 'invalid',
    reason,
    problems,
    ...(isNamed || location.builtIn ? {} : { unidentified: true }),
  })
  try {
    const packageFile = path.join(location.folder, 'package.json')
    if (!statSync(packageFile, { throwIfNoEntry: false })) return location.builtIn ? undefined : invalid(`${packageFile} is missing`)
    const root = realpathSync.native(location.folder)
    origin = { ...origin, root }
    const manifestPath = pluginPathOf(readJson(path.join(root, 'package.json')))
    if (manifestPath === undefined)
      return location.builtIn ? undefined : invalid('its package.json has no “agentService”, so it is not a plugin')
    const manifestFile = resolveInside(root, root, manifestPath)
    const json = readJson(manifestFile)
    const names = namesOf(json)
    isNamed = names.id !== undefined
    origin = { ...origin, ...names }
    const folder = path.dirname(manifestFile)
    const check = location.builtIn && wasBuiltSo(json, folder) ? { manifest: json } : checkManifestFile(json)
    if ('problems' in check) return invalid(`plugin.json is not valid: ${summary(check.problems)}`, manifestLines(check.problems))
    const { manifest } = check
    const foreign = location.builtIn ? [] : thirdPartyLines(manifest)
    if (foreign.length > 0) return invalid(foreign.join('; '), foreign)
    const pathOf = (file: string | undefined): string | undefined => (file === undefined ? undefined : resolveInside(root, folder, file))
    const entryPath = pathOf(manifest.entry)
    const rulesPath = pathOf(manifest.rules)
    if (location.builtIn)
      checkPaths(
        root,
        [path.join(root, 'package.json'), manifestFile, entryPath, rulesPath].filter((file) => file !== undefined),
      )
    else await checkTree(root)
    return { ...origin, status: 'valid', manifest, folder, ...(entryPath === undefined ? {} : { entryPath }) }
  } catch (error) {
    if (gateRefusedError.isInstance(error)) return invalid(error.message)
    return invalid(`it cannot be read: ${error instanceof Error ? error.message : String(error)}`)
  }
}

/** Whether the build that made the bundle has written and checked this manifest. */
function wasBuiltSo(json: unknown, folder: string): json is PluginManifestFile {
  const entry = member(json, 'entry')
  return typeof entry === 'string' && isBundled(path.join(folder, entry))
}

function readJson(file: string): unknown {
  const entry = statSync(file)
  if (!entry.isFile()) throw gateRefusedError.create({ reason: `${file} is not a file` })
  const { size } = entry
  if (size > maxManifestBytes) throw gateRefusedError.create({ reason: `${file} has ${size} bytes; at most ${maxManifestBytes} are read` })
  const text = readFileSync(file, 'utf8')
  try {
    return JSON.parse(text)
  } catch (error) {
    throw gateRefusedError.create(
      { reason: `${file} is not JSON: ${error instanceof Error ? error.message : String(error)}` },
      { cause: error },
    )
  }
}

/** `agentService.plugin` of a package.json; `undefined` if it does not declare a plugin. */
function pluginPathOf(packageJson: unknown): string | undefined {
  const section = member(packageJson, 'agentService')
  if (section === undefined) return undefined
  const plugin = member(section, 'plugin')
  if (typeof plugin !== 'string' || path.isAbsolute(plugin))
    throw gateRefusedError.create({ reason: '“agentService.plugin” of its package.json is not a relative path' })
  return plugin
}

function namesOf(manifest: unknown): { readonly id?: string; readonly version?: string } {
  const id = member(manifest, 'id')
  const version = member(manifest, 'version')
  return {
    ...(typeof id === 'string' && id.length <= 64 && new RegExp(pluginIdPattern).test(id) ? { id } : {}),
    ...(typeof version === 'string' && version.length <= 100 ? { version } : {}),
  }
}

const member = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>)[name] : undefined

function summary(problems: readonly Problem[]): string {
  const shown = problems.slice(0, 3).map(({ path: where, message }) => `${where} ${message}`)
  return problems.length > shown.length ? `${shown.join('; ')}; and ${problems.length - shown.length} more` : shown.join('; ')
}
