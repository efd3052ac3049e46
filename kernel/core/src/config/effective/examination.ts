import type { JsonValue, PluginManifestFile, Problem, SettingOverlap } from '@agent-service/sdk'
import type { ConfigurationFile } from '../read/configuration-file.js'
import type { Environment } from '../read/expand-references.js'
import type { ValuePath } from '../schema/dotted-path.js'
import type { SchemaNode } from '../schema/schema-node.js'
import type { Evaluation } from './evaluate.js'
import type { PathBases } from './resolve-paths.js'

/** Everything known about a configuration, valid or not. An immutable snapshot of plain data. */
export interface Examination {
  readonly file: ConfigurationFile
  readonly environment: Environment
  readonly bases: PathBases
  readonly manifests: readonly PluginManifestFile[]
  readonly schema: SchemaNode
  readonly evaluation: Evaluation
  /**
   * All problems, each message with its line and column or its variable. If empty, the service
   * starts with it.
   */
  readonly problems: readonly Problem[]
  /** Findings that are accepted but logged. */
  readonly warnings: readonly string[]
  /** Custom values that override a typed setting: allowed, and not reported at the start. */
  readonly overlaps: readonly OverlappingSetting[]
  /** Values of the catalogue for settings that are not set; also listed for settings that are. */
  readonly catalogueDefaults: readonly CatalogueDefault[]
}

export interface CatalogueDefault {
  readonly path: ValuePath
  readonly value: JsonValue
}

/** An overlap and the dotted path of the custom value. */
export interface OverlappingSetting extends SettingOverlap {
  readonly path: string
}
