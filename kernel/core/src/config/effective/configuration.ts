import type { PluginManifestFile } from '@agent-service/sdk'
import type { InjectionToken } from 'tsyringe'
import type {
  AuthSection,
  CacheSection,
  DatabaseSection,
  PluginsSection,
  SchedulerSection,
  ServerSection,
  StorageSection,
} from '../sections/index.js'
import type { Examination } from './examination.js'
import type { SignInPolicy } from './sign-in-policy.js'

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

/** A plugin's manifest and the folder of its `plugin.json`, absolute, which paths in it start from. */
export interface DiscoveredManifest {
  readonly manifest: PluginManifestFile
  readonly folder: string
  /** It is of a third party and may run, where the configuration does not disable it. Default false. */
  readonly thirdParty?: boolean
  /** It has rules, which are left out of the manifest here because nobody has consented to its code yet. Default false. */
  readonly rulesHeldBack?: boolean
}

/** The whole configuration: validated, defaults filled in, references expanded. Never changes while the process runs. */
export interface Configuration extends KernelSections {
  readonly file: { readonly path: string; readonly exists: boolean; readonly revision: string | null }
  /** `SERVICE_SERVER_DATA_DIR`, absolute. */
  readonly serverDataDir: string
  /** How the installation looks at this start: `existing` when the database folder is there or the file has any key. */
  readonly installation: 'fresh' | 'existing'
  /** Dotted paths of the settings marked for set-up that neither the file nor the environment gives a value. */
  readonly openChoices: readonly string[]
  /** The zone for schedules and prompts: `server.timezone`, else what was detected. Always a valid name. */
  readonly timeZone: string
  /** Which ways in are open. */
  readonly signIn: SignInPolicy
  /** Every secret text in it, and what its references stand for at the start: for redaction. Built-in defaults are not among them. */
  readonly secrets: readonly string[]
  /** What a plugin gets as `context.config`. Frozen. */
  configurationOf(manifest: PluginManifestFile): unknown
  /** Where the value at a dotted path comes from; a section or object comes from the strongest source of what is in it. */
  sourceOf(path: string): ValueSource
  /** Things that are accepted but worth a line in the log. */
  readonly warnings: readonly string[]
}

/** After steps 1 and 2: the file is parsed. */
export interface ConfigurationDraft {
  /**
   * The kernel's sections. A value that does not hold reads as its default here, so that plugins can be discovered and everything that is
   * wrong be told at once: {@link complete} is going to refuse it.
   */
  readonly kernel: KernelSections
  readonly file: { readonly path: string; readonly exists: boolean; readonly revision: string | null }
  readonly serverDataDir: string
  /** Steps 3 and 4 without a verdict. Never throws for a fault of the operator's. */
  examine(plugins: readonly DiscoveredManifest[]): Promise<Examination>
  /** Steps 3 and 4, with every discovered plugin, disabled ones too. @throws `configuration_invalid` with every problem at once (exit status 78). */
  complete(plugins: readonly DiscoveredManifest[]): Promise<Configuration>
}

export const configurationToken: InjectionToken<Configuration> = Symbol('configuration')
