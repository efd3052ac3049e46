import { existsSync } from 'node:fs'
import { mkdir, open, readFile, rename, rm } from 'node:fs/promises'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { manifestLines } from '../admission/manifest-claims.js'
import { canonicalJson } from '../core/canonical-json.js'
import { messageOf } from '../core/message-of.js'
import { checkManifest, checkManifestFile } from '../manifest/check-manifest.js'
import { maxManifestBytes } from '../manifest/manifest-schema.js'
import type { PluginManifest, PluginManifestFile } from '../manifest/plugin-manifest.js'
import { isPlugin, type Plugin } from '../plugin/define-plugin.js'
import { recordSetup, type SetupRecording } from '../testing/record-setup.js'
import { pluginBuildError } from './common/build-errors.js'
import { type PluginPackage, readPluginPackage } from './common/plugin-package.js'
import { examinePlugin, type PluginVerdict } from './examine-plugin.js'

/** A built plugin. */
export interface BuiltPlugin {
  readonly manifestPath: string
  readonly manifest: PluginManifestFile
  /** Why it starts with the service; absent if it starts when it is first used, or has no code. */
  readonly startsBecause?: string
}

/**
 * Imports the built plugin in a folder, checks its manifest and writes `plugin.json` beside the
 * entry, whole or not at all, with what its `setup` contributes if that can wait. A plugin in stage `declared` has no code; its hand-written
 * `plugin.json` is checked and left as it is.
 * @throws a `plugin_build_failed` error with a reason, and `problems` if the manifest is wrong.
 */
export async function buildPlugin(folder: string): Promise<BuiltPlugin> {
  const plugin = await readPluginPackage(folder)
  if (!existsSync(plugin.entryPath) && existsSync(plugin.manifestPath)) {
    const declared = await checkFile(folder, plugin)
    if (declared.stage === 'declared') return checkDeclared(folder, plugin, declared)
  }
  const code = await pluginOfEntry(folder, plugin)
  const manifest = manifestOf(folder, code)
  if (manifest.stage === 'declared') {
    throw pluginBuildError.create({
      folder,
      reason: 'the manifest says stage “declared”, yet there is code. Remove “stage”, or write plugin.json by hand and export nothing.',
    })
  }
  const base = { ...manifest, version: plugin.version, entry: entryFromManifest(plugin) }
  const setup = withinFile(await recordSetup(code, path.dirname(plugin.manifestPath)))
  // Read back from JSON, so that what is checked is what is written.
  const file = JSON.parse(canonicalJson('recorded' in setup ? { ...base, recorded: setup.recorded } : base)) as unknown
  const check = checkManifestFile(file)
  if ('problems' in check) throw pluginBuildError.create({ folder, reason: 'the manifest is not valid.' }, { problems: check.problems })
  checkRules(folder, plugin, check.manifest)
  await writeWhole(plugin.manifestPath, `${JSON.stringify(inOrder(check.manifest), null, 2)}\n`)
  return { manifestPath: plugin.manifestPath, manifest: check.manifest, ...('reason' in setup && { startsBecause: setup.reason }) }
}

/** A record that leaves room for the rest of the manifest. */
const withinFile = (setup: SetupRecording): SetupRecording =>
  'recorded' in setup && Buffer.byteLength(JSON.stringify(setup.recorded, null, 2)) > maxManifestBytes / 2
    ? { reason: 'plugin.json would be too large with all that it contributes' }
    : setup

/** A plugin that was examined. */
export interface ValidatedPlugin extends PluginVerdict {
  /** The folder's `plugin.json`. Absolute. */
  readonly manifestPath: string
  /** Its content, if that is a valid manifest. */
  readonly manifest?: PluginManifestFile
}

/**
 * Examines a plugin that was built: `plugin.json` is valid, its version is that of package.json,
 * and the host would load the plugin. Writes nothing. @throws a `plugin_build_failed` error if the
 * folder has no built plugin.
 */
export async function validatePlugin(folder: string, settingsFile?: string): Promise<ValidatedPlugin> {
  const plugin = await readPluginPackage(folder)
  const { manifestPath } = plugin
  if (!existsSync(manifestPath))
    throw pluginBuildError.create({ folder, reason: `${manifestPath} does not exist. Run: agent-service-plugin build` })
  const check = checkManifestFile(await readManifest(folder, plugin))
  if ('problems' in check) return { manifestPath, problems: manifestLines(check.problems) }
  const { manifest } = check
  const isDeclared = manifest.stage === 'declared'
  checkVersion(folder, plugin, manifest, isDeclared ? 'Write the same in both.' : 'Run: agent-service-plugin build')
  checkRules(folder, plugin, manifest)
  const entryPath = manifest.entry === undefined ? undefined : path.resolve(path.dirname(manifestPath), manifest.entry)
  if (entryPath !== undefined && !existsSync(entryPath))
    return { manifestPath, manifest, problems: [`${entryPath} is missing; build the plugin`] }
  const verdict = await examinePlugin({ manifest, settingsFile, entryPath })
  return { manifestPath, manifest, ...verdict }
}

/** Checks of a hand-written manifest that the build ensures otherwise. */
function checkDeclared(folder: string, plugin: PluginPackage, manifest: PluginManifestFile): BuiltPlugin {
  checkVersion(folder, plugin, manifest, 'Write the same in both.')
  checkRules(folder, plugin, manifest)
  return { manifestPath: plugin.manifestPath, manifest }
}

function checkVersion(folder: string, plugin: PluginPackage, { version }: PluginManifestFile, mend: string): void {
  if (version === plugin.version) return
  throw pluginBuildError.create({ folder, reason: `plugin.json has version ${version}, package.json has ${plugin.version}. ${mend}` })
}

function checkRules(folder: string, plugin: PluginPackage, { rules }: PluginManifestFile): void {
  if (rules === undefined || existsSync(path.resolve(path.dirname(plugin.manifestPath), rules))) return
  throw pluginBuildError.create({ folder, reason: `“rules” names ${rules}, which does not exist.` })
}

async function readManifest(folder: string, plugin: PluginPackage): Promise<unknown> {
  const text = await readFile(plugin.manifestPath, 'utf8')
  try {
    return JSON.parse(text)
  } catch (error) {
    // Without the error as its cause: where the parser was says nothing about the file.
    throw pluginBuildError.create({ folder, reason: `${plugin.manifestPath} is not JSON: ${messageOf(error)}` })
  }
}

async function checkFile(folder: string, plugin: PluginPackage): Promise<PluginManifestFile> {
  const check = checkManifestFile(await readManifest(folder, plugin))
  if ('problems' in check)
    throw pluginBuildError.create({ folder, reason: `${plugin.manifestPath} is not valid.` }, { problems: check.problems })
  return check.manifest
}

/** @throws a `plugin_build_failed` error if the module does not exist, fails or is not a plugin. */
async function pluginOfEntry(folder: string, plugin: PluginPackage): Promise<Plugin> {
  if (!existsSync(plugin.entryPath))
    throw pluginBuildError.create({ folder, reason: `${plugin.entryPath} does not exist. Compile the plugin first.` })
  const module = (await import(pathToFileURL(plugin.entryPath).href).catch((error: unknown) => {
    const reason = `importing ${plugin.entryPath} failed: ${error instanceof Error ? error.message : String(error)}`
    throw pluginBuildError.create({ folder, reason }, { cause: error })
  })) as { readonly default?: unknown }
  if (isPlugin(module.default)) return module.default
  throw pluginBuildError.create({
    folder,
    reason: `${plugin.entryPath} has no plugin as its default export. Write: export default definePlugin({ … })`,
  })
}

function manifestOf(folder: string, code: Plugin): PluginManifest {
  const check = checkManifest(code.manifest)
  if ('problems' in check) throw pluginBuildError.create({ folder, reason: 'the manifest is not valid.' }, { problems: check.problems })
  return check.manifest
}

function entryFromManifest(plugin: PluginPackage): string {
  const relative = path.relative(path.dirname(plugin.manifestPath), plugin.entryPath).split(path.sep).join('/')
  return relative.startsWith('.') ? relative : `./${relative}`
}

const firstMembers = ['id', 'version', 'apiVersion', 'description', 'entry']

/** For people who open the file: what it is comes first. */
const inOrder = (manifest: PluginManifestFile): Readonly<Record<string, unknown>> => {
  const members = new Map<string, unknown>(Object.entries(manifest))
  const names = [...firstMembers.filter((name) => members.has(name)), ...[...members.keys()].filter((name) => !firstMembers.includes(name))]
  return Object.fromEntries(names.map((name) => [name, members.get(name)]))
}

async function writeWhole(file: string, text: string): Promise<void> {
  await mkdir(path.dirname(file), { recursive: true })
  const temporary = `${file}.${process.pid}.tmp`
  try {
    const handle = await open(temporary, 'w', 0o644)
    try {
      await handle.writeFile(text)
      await handle.sync()
    } finally {
      await handle.close()
    }
    await rename(temporary, file)
  } catch (error) {
    await rm(temporary, { force: true })
    throw error
  }
}
