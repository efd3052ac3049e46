import type { JsonValue, PluginManifestFile, Problem, SettingOverlap } from '@agent-service/sdk'
import type { ConfigurationFile } from '../read/configuration-file.js'
import type { Environment } from '../read/expand-references.js'
import type { ValuePath } from '../schema/dotted-path.js'
import type { SchemaNode } from '../schema/schema-node.js'
import type { Evaluation } from './evaluate.js'
import type { PathBases } from './resolve-paths.js'

/** Everything that is known of a configuration, whether it holds or not. Plain data of one moment; nothing in it changes. */
export interface Examination {
  readonly file: ConfigurationFile
  readonly environment: Environment
  readonly bases: PathBases
  /** The manifests that the schema was composed from. */
  readonly manifests: readonly PluginManifestFile[]
  readonly schema: SchemaNode
  readonly evaluation: Evaluation
  /** Everything wrong, each message with its line and column or its variable. Empty: the service starts with it. */
  readonly problems: readonly Problem[]
  /** What is accepted but worth a line. */
  readonly warnings: readonly string[]
  /** Custom values that override a typed setting: allowed, and nothing that the start would say. */
  readonly overlaps: readonly OverlappingSetting[]
  /** What holds by the catalogue at places where nothing is set; told also of places where something is. */
  readonly catalogueDefaults: readonly CatalogueDefault[]
}

/** A default of the catalogue. */
export interface CatalogueDefault {
  readonly path: ValuePath
  readonly value: JsonValue
}

/** An overlap and the dotted path of the custom value. */
export interface OverlappingSetting extends SettingOverlap {
  readonly path: string
}
