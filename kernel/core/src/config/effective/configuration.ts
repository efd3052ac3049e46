import type { JsonObject, PluginManifestFile } from '@agent-service/sdk'
import type { InjectionToken } from 'tsyringe'
import { type Environment, variableValue } from '../read/expand-references.js'
import { isObject, own } from '../schema/schema-node.js'
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

/**
 * A plugin's manifest and the folder of its `plugin.json`, absolute, which paths in it start from.
 */
export interface DiscoveredManifest {
  readonly manifest: PluginManifestFile
  readonly folder: string
  /** A third party's plugin that may run unless the configuration disables it. Default false. */
  readonly thirdParty?: boolean
  /**
   * Its rules are omitted from the manifest here because its code has no consent yet. Default
   * false.
   */
  readonly rulesHeldBack?: boolean
}

/**
 * The whole configuration: validated, with defaults, references expanded. Never changes while the
 * process runs.
 */
export interface Configuration extends KernelSections {
  readonly file: { readonly path: string; readonly exists: boolean; readonly revision: string | null }
  /** `SERVICE_SERVER_DATA_DIR`, absolute. */
  readonly serverDataDir: string
  /**
   * The state of the installation at this start: `existing` if the database folder exists or the
   * file has any key.
   */
  readonly installation: 'fresh' | 'existing'
  /**
   * Dotted paths of the settings marked for set-up that neither the file nor the environment sets.
   */
  readonly openChoices: readonly string[]
  /**
   * The zone for schedules and prompts: `server.timezone`, else the detected zone. Always a valid
   * name.
   */
  readonly timeZone: string
  readonly signIn: SignInPolicy
  /**
   * Every secret text in it, and the values of its references at the start, for redaction. Without
   * built-in defaults.
   */
  readonly secrets: readonly string[]
  /** The value of a plugin's `context.config`. Frozen. */
  configurationOf(manifest: PluginManifestFile): unknown
  /**
   * The source of the value at a dotted path; for a section or object, the strongest source of its
   * members.
   */
  sourceOf(path: string): ValueSource
  /** Findings that are accepted but logged. */
  readonly warnings: readonly string[]
}

/** After steps 1 and 2: the file is parsed. */
export interface ConfigurationDraft {
  /**
   * The kernel's sections. A default replaces a value that is not valid here, so that plugins can
   * be discovered and all problems reported at once: {@link complete} will refuse that value.
   */
  readonly kernel: KernelSections
  readonly file: { readonly path: string; readonly exists: boolean; readonly revision: string | null }
  readonly serverDataDir: string
  /** Steps 3 and 4 without throwing for an operator's mistake. */
  examine(plugins: readonly DiscoveredManifest[]): Promise<Examination>
  /**
   * Steps 3 and 4, with every discovered plugin, disabled ones too. @throws `configuration_invalid`
   * with every problem at once (exit status 78).
   */
  complete(plugins: readonly DiscoveredManifest[]): Promise<Configuration>
}

export const configurationToken: InjectionToken<Configuration> = Symbol('configuration')

export interface SignInPolicy {
  /** `sso.enabled`. */
  readonly singleSignOn: boolean
  /** False with `sso.disable_local_auth`: no user signs up or in with a password. */
  readonly localSignIn: boolean
}

/**
 * Reads the policy from the effective values, independent of the plugin that owns the section
 * `sso`: if that plugin is disabled or fails, nothing else opens. If no readable plugin owns the
 * section but the environment sets a field of it, the operator's intent is unknown and local
 * sign-in is closed. (In the file such a section is an error.)
 */
export function signInPolicyOf(values: JsonObject, environment: Environment): SignInPolicy {
  const section = own(values, 'sso')
  if (isObject(section))
    return Object.freeze({ singleSignOn: section['enabled'] === true, localSignIn: section['disable_local_auth'] !== true })
  const isMeant = Object.keys(environment).some((name) => /^SERVICE_SSO(_|$)/i.test(name) && variableValue(environment, name) !== undefined)
  return Object.freeze({ singleSignOn: false, localSignIn: !isMeant })
}
