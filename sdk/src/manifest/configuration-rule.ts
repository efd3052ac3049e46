import type { Problem } from '../core/errors.js'
import type { JsonObject, JsonValue } from '../core/json.js'
import type { SchemaExtension } from './plugin-manifest.js'

/** Further inputs of rules. Plain data. */
export interface ConfigurationFacts {
  /** Names of the environment variables that are set and not empty, sorted. Never their values. */
  readonly environmentNames: readonly string[]
  /**
   * The catalogue: the JSON files of `{storage.shared_config_dir}/catalogue` by name without ending
   * (`brands`, `models`, `protocols`).
   */
  readonly catalogue: Readonly<Record<string, JsonValue>>
  /**
   * What every discovered plugin adds to open places of sections, disabled and declared plugins
   * too: the `extends` of their manifests.
   */
  readonly extensions: readonly SchemaExtension[]
  /**
   * The points that plugins of third parties contribute to, as far as they may run: enabled in the
   * configuration, and granted. Sorted.
   */
  readonly thirdPartyPoints: readonly string[]
}

/** A custom value that overrides a typed setting. Names alone, never the values. */
export interface SettingOverlap {
  /**
   * The typed setting as it is written in the object that holds both: `max_tokens`,
   * `thinking_config.thinking_budget`.
   */
  readonly typed: string
  /**
   * The path of the custom value below the member that holds custom values:
   * `generationConfig.maxOutputTokens`.
   */
  readonly custom: string
}

/**
 * A finding at a dotted path: what was expected, what was found, how to fix it. A warning is logged
 * at the start and stops nothing.
 */
export interface ConfigurationFinding extends Problem {
  /** Default `error`. Of no meaning beside `overlap` and `catalogueDefault`. */
  readonly severity?: 'error' | 'warning'
  /**
   * Makes the finding an overlap, which is allowed: the value at `path` overrides a typed setting.
   * It is neither error nor warning: the start passes over it, and a check of the configuration
   * lists it apart as `{path, typed, custom}`.
   */
  readonly overlap?: SettingOverlap
  /**
   * Makes the finding a default of the catalogue: what holds at `path` while nothing is set there,
   * with a note whether something is or not. It is neither error nor warning. A save does not write
   * a value that is the default of its path.
   */
  readonly catalogueDefault?: { readonly value: JsonValue }
}

/**
 * A rule over several sections at once, for what JSON Schema cannot say. Pure and synchronous.
 * Called once for each start and check, only when every section holds by its schema.
 * `configuration` has every section by name, defaults filled in, frozen; `${NAME}` references that
 * are resolved at use stay as text.
 *
 * The module named by the manifest's `rules` exports `rules: readonly ConfigurationRule[]`. It
 * imports the SDK and files of its own plugin that import nothing else either: it is loaded before
 * any plugin runs, also while its plugin is disabled.
 */
export type ConfigurationRule = (configuration: JsonObject, facts: ConfigurationFacts) => readonly ConfigurationFinding[]
