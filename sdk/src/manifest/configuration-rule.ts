import type { Problem } from '../core/errors.js'
import type { JsonObject, JsonValue } from '../core/json.js'

/** What rules may know beside the configuration. Plain data, nothing live. */
export interface ConfigurationFacts {
  /** Names of the environment variables that are set and not empty, sorted. Never their values. */
  readonly environmentNames: readonly string[]
  /** The catalogue: the JSON files of `{storage.shared_config_dir}/catalogue` by name without ending (`brands`, `models`). */
  readonly catalogue: Readonly<Record<string, JsonValue>>
}

/** What a rule found at a dotted path: what is expected, what is there, how to mend it. A warning is said at the start and stops nothing. */
export interface ConfigurationFinding extends Problem {
  /** Default `error`. */
  readonly severity?: 'error' | 'warning'
}

/**
 * A rule over several sections at once, for what JSON Schema cannot say. Pure and synchronous. Called once for each start and check, only
 * when every section holds by its schema. `configuration` has every section by name, defaults filled in, frozen; `${NAME}` references that are
 * resolved at use stand as text.
 *
 * The module named by the manifest's `rules` imports nothing but the SDK and exports `rules: readonly ConfigurationRule[]`.
 */
export type ConfigurationRule = (configuration: JsonObject, facts: ConfigurationFacts) => readonly ConfigurationFinding[]
