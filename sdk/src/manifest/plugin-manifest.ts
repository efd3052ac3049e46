import type { TObject, TSchema } from 'typebox'
import type { RecordedSetup } from './recorded-setup.js'

/** The generation of manifest, context and lifecycle that this SDK speaks. */
export const pluginApiVersion = 1

/**
 * A permission that a plugin requests. An upper bound for the operator to grant; shown at install,
 * audited, not enforced inside the process.
 */
export interface PluginPermission {
  /**
   * What it accesses. `console`: its screens run in the page of the web console, with the rights of whoever is signed in;
   * a third party's are refused without it.
   */
  readonly kind: 'network' | 'files' | 'process' | 'environment' | 'secrets' | 'models' | 'console'
  /** The targets: host names, folders, program names, variable names. */
  readonly targets?: readonly string[]
  /** JSON pointers into the plugin's configuration that hold further targets. */
  readonly targetsFromConfiguration?: readonly string[]
  /** One sentence for the person who grants it. */
  readonly reason: string
}

/** A fragment that a plugin adds to an open place of another configuration section. */
export interface SchemaExtension {
  /** The section, for example `models`. */
  readonly section: string
  /** The name of the open place in that section, for example `settings`. */
  readonly place: string
  /** Which variant of the place this is for, for example the protocol `completions`. */
  readonly variant: string
  /**
   * The properties that are added. One that is there already is an error, unless its schema is the
   * same. `x-no-effect` on the schema itself: the variant can be chosen, and nothing in this
   * version acts on it, because …
   */
  readonly schema: TObject
}

/** A type of event that a plugin publishes on the streams of users. */
export interface EventTypeDeclaration {
  /** One sentence for people who write clients: when it is published. */
  readonly description: string
  /**
   * What its data is. An object; open (`additionalProperties: true`) if members may be added later
   * without breaking anyone.
   */
  readonly schema: TObject
}

/** A plugin's folders of users. */
export interface StorageDeclaration {
  /**
   * Folders below a user's folder that the plugin owns: `workspaces`. Those of a third party are
   * its id, or begin with it and a dot (`notes`, `notes.drafts`). One that two plugins declare is
   * an error that names both.
   */
  readonly subsystems?: readonly string[]
  /**
   * Folders that other plugins own and that this one reads and writes too. Shown at the
   * installation.
   */
  readonly uses?: readonly string[]
}

/** When a plugin starts that does not wait for the first use of what it contributes. */
export interface PluginActivation {
  /** With the service. */
  readonly at: 'start'
  /** Why, in one sentence for the operator. */
  readonly reason: string
}

/**
 * All information about a plugin without running its code. The build step writes it to
 * `plugin.json`; discovery, ordering, configuration checks, permission prompts, settings forms and
 * docs read only that.
 */
export interface PluginManifest {
  /** Kebab-case, the point first: `vault-keepass`. Unique in a deployment. */
  readonly id: string
  /**
   * Ids that the plugin had before, at most 8. At its start it takes over what is stored under
   * them, and it may go on to use collections, folders of users and ids of `user.data` that carry
   * them. The start fails while a plugin with such an id is installed. A third party may not name a
   * built-in plugin. Shown at the installation. Default none.
   */
  readonly renamedFrom?: readonly string[]
  /**
   * The generation of manifest, context and lifecycle that the plugin is written for. Another one
   * is refused with a reason.
   */
  readonly apiVersion: typeof pluginApiVersion
  /** One sentence for people. */
  readonly description?: string
  /** The contribution points that the plugin may add to. Anything else fails it. */
  readonly contributes?: readonly string[]
  /** Ids of the services that it provides. */
  readonly provides?: readonly string[]
  /** Ids of services that must be there. Services of the kernel (`kernel.*`) need no entry. */
  readonly requires?: readonly string[]
  /** Ids of services that are used when they are there. */
  readonly optional?: readonly string[]
  /** The schema of `plugins.settings.<id>`. Not together with `sections`. */
  readonly config?: TObject
  /** For built-ins: the sections of the configuration file that the plugin owns, by name. */
  readonly sections?: Readonly<Record<string, TSchema>>
  /** Fragments added to sections that other plugins own. */
  readonly extends?: readonly SchemaExtension[]
  /**
   * A module beside the entry that exports pure rules over the whole configuration, as a path
   * relative to `plugin.json`.
   */
  readonly rules?: string
  /**
   * For built-ins: the URL prefixes that its routes live under. A third party's live under
   * `/api/plugins/<id>/`.
   */
  readonly routes?: readonly string[]
  /**
   * What its routes of a tag are about, for the OpenAPI description, by tag: `notes` → `Notes and
   * their folders.`
   */
  readonly tags?: Readonly<Record<string, string>>
  /**
   * For built-ins: the hosts of its sites (`http.site`): names, or patterns such as `*.localhost`.
   * One pair of braces may refer to a value of its own configuration by its dotted path:
   * `*.{app.host}`.
   */
  readonly hosts?: readonly string[]
  /**
   * The types of events that it publishes, by name: `task.updated`. Names that end in `.delta` are
   * deltas, all others state events. Those of a third party begin with its id and a dot
   * (`dice.rolled` of the plugin `dice`). A name that two plugins declare is an error that names
   * both.
   */
  readonly events?: Readonly<Record<string, EventTypeDeclaration>>
  /** Its folders of users. Default none. */
  readonly storage?: StorageDeclaration
  /** Everything that it accesses beyond the SDK. Default none. */
  readonly permissions?: readonly PluginPermission[]
  /**
   * When it starts. Default: when the first of what it contributes is used, if the build finds that `setup`
   * does nothing but contribute data and functions whose results may come later; else with the service.
   */
  readonly activation?: PluginActivation
  /** `declared`: schema only, no code yet. */
  readonly stage?: 'declared'
}

/** The content of `plugin.json`: the manifest as plain JSON and the additions of the build step. */
export interface PluginManifestFile extends PluginManifest {
  /** The plugin's own version, from its package.json. */
  readonly version: string
  /** The module with the default export, relative to `plugin.json`. Absent in stage `declared`. */
  readonly entry?: string
  /** What `setup` contributes, if the plugin may wait for its first use. Absent: it starts with the service. */
  readonly recorded?: RecordedSetup
}
