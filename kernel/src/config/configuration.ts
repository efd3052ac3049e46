import type { PluginManifestFile } from '@agent-service/sdk'
import type {
  AuthSection,
  CacheSection,
  DatabaseSection,
  PluginsSection,
  SchedulerSection,
  ServerSection,
  StorageSection,
} from './sections/index.js'

/** The sections that the kernel owns. */
export interface KernelSections {
  readonly server: ServerSection
  readonly auth: AuthSection
  readonly database: DatabaseSection
  readonly storage: StorageSection
  readonly cache: CacheSection
  readonly scheduler: SchedulerSection
  readonly plugins: PluginsSection
}

/** Where an effective value comes from. */
export type ValueSource = 'default' | 'file' | 'environment'

/** The whole configuration: validated, defaults filled in, references expanded. Never changes while the process runs. */
export interface Configuration extends KernelSections {
  readonly file: { readonly path: string; readonly exists: boolean; readonly revision: string | null }
  /** `SERVICE_SERVER_DATA_DIR`, absolute. */
  readonly serverDataDir: string
  /** What a plugin gets as `context.config`. */
  configurationOf(manifest: PluginManifestFile): unknown
  /** Where the value at a dotted path comes from. */
  sourceOf(path: string): ValueSource
  /** Things that are accepted but worth a line in the log. */
  readonly warnings: readonly string[]
}

/** After steps 1 and 2: the file is parsed and the kernel's own sections hold. */
export interface ConfigurationDraft {
  readonly kernel: KernelSections
  readonly serverDataDir: string
  /** Steps 3 and 4. @throws `configuration_invalid` with every problem at once (exit status 78). */
  complete(manifests: readonly PluginManifestFile[]): Promise<Configuration>
}
