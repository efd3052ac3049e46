import { readFile } from 'node:fs/promises'
import path from 'node:path'
import type { ServiceError } from '../../core/errors.js'
import { pluginBuildError } from './build-errors.js'

/** The information in a plugin's package.json. Paths are absolute. */
export interface PluginPackage {
  readonly folder: string
  readonly version: string
  /** Where `plugin.json` is or goes: `agentService.plugin`. */
  readonly manifestPath: string
  /** The built module: `exports["."]`, else `dist/index.js`. */
  readonly entryPath: string
}

/**
 * Reads a plugin's package.json. @throws a `plugin_build_failed` error that says what to write
 * there.
 */
export async function readPluginPackage(folder: string): Promise<PluginPackage> {
  const root = path.resolve(folder)
  const fail = (reason: string, cause?: unknown): ServiceError => pluginBuildError.create({ folder, reason }, { cause })
  const json = await readJsonObject(path.join(root, 'package.json')).catch((error: unknown) => {
    throw fail(`package.json cannot be read: ${error instanceof Error ? error.message : String(error)}`, error)
  })
  if (typeof json['version'] !== 'string' || json['version'] === '') throw fail('package.json has no “version”; plugin.json repeats it.')
  const manifest = isObject(json['agentService']) ? json['agentService']['plugin'] : undefined
  if (typeof manifest !== 'string')
    throw fail('package.json has no “agentService”; add "agentService": { "plugin": "./dist/plugin.json" }.')
  const manifestPath = path.resolve(root, manifest)
  const entryPath = path.resolve(root, entryOf(json['exports']) ?? 'dist/index.js')
  for (const [what, file] of [['agentService.plugin', manifestPath] as const, ['exports["."]', entryPath] as const]) {
    if (!file.startsWith(root + path.sep)) throw fail(`“${what}” of package.json leads out of the folder, to ${file}.`)
  }
  return { folder: root, version: json['version'], manifestPath, entryPath }
}

/** A JSON file that holds an object. */
export async function readJsonObject(file: string): Promise<Readonly<Record<string, unknown>>> {
  const value: unknown = JSON.parse(await readFile(file, 'utf8'))
  if (!isObject(value)) throw new TypeError(`${file} does not hold an object`)
  return value
}

/** The module that `import '<package>'` loads. */
function entryOf(exports: unknown): string | undefined {
  if (typeof exports === 'string') return exports
  if (!isObject(exports)) return undefined
  for (const key of ['.', 'node', 'import', 'default']) {
    const found = key in exports ? entryOf(exports[key]) : undefined
    if (found !== undefined) return found
  }
  return undefined
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
