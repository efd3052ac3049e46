import { isDeepStrictEqual } from 'node:util'
import { canonicalJson } from '../core/canonical-json.js'
import type { PluginManifest, PluginManifestFile } from './plugin-manifest.js'

/**
 * Names of the members in which the manifest of the code and `plugin.json` differ; empty when they
 * agree. `version`, `entry` and `recorded` are the file's alone.
 */
export function compareManifests(code: PluginManifest, file: PluginManifestFile): readonly string[] {
  const { version: _version, entry: _entry, recorded: _recorded, ...rest } = file
  const one = new Map<string, unknown>(Object.entries(code))
  const other = new Map<string, unknown>(Object.entries(rest))
  const names = [...new Set([...one.keys(), ...other.keys()])].sort()
  return names.filter((name) => !isSameJson(one.get(name), other.get(name)))
}

/** Values that are equal as they are need not be written as text. */
const isSameJson = (one: unknown, other: unknown): boolean => isDeepStrictEqual(one, other) || canonicalJson(one) === canonicalJson(other)
