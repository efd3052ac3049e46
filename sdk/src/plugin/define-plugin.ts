import type { Disposer } from '../core/disposer.js'
import type { ConfigurationOf } from '../manifest/configuration-of.js'
import type { PluginManifest } from '../manifest/plugin-manifest.js'
import type { CollectionDefinition } from '../services/database.js'
import type { NoUnknownMembers } from './declared.js'
import type { PluginContext } from './plugin-context.js'

const marker = Symbol.for('agent-service.plugin')

/** What `definePlugin` makes. Frozen and branded; it does nothing until the host calls `setup`. */
export interface Plugin {
  /** The manifest of the definition. It must agree with the `plugin.json` beside the module. */
  readonly manifest: PluginManifest
  /**
   * The collections that the plugin keeps in the database. Created, indexed and migrated before
   * `setup` runs.
   */
  readonly collections: readonly CollectionDefinition[]
  /** Called once for each start of the plugin, within a time limit. */
  setup(context: PluginContext): void | Disposer | Promise<void | Disposer>
}

/**
 * The context of `setup`: its configuration has the type of the manifest's schema. The type is
 * computed from the manifest where the member is read, and never for a comparison of two contexts:
 * that is what the annotation is for, without which every program that compiles a plugin pays for a
 * comparison of all schemas that there could be.
 */
export interface SetupContext<in out Manifest extends PluginManifest> extends PluginContext<unknown, Manifest> {
  /** As {@link PluginContext.config}. */
  readonly config: ConfigurationOf<Manifest>
}

/** How an author writes a plugin. */
export interface PluginDefinition<Manifest extends PluginManifest> {
  /**
   * The manifest, which the host reads without running the plugin. `config` gives `context.config`
   * its type; the lists say what `setup` may do.
   */
  readonly manifest: Manifest & NoUnknownMembers<Manifest>
  /** The collections that it keeps in the database; only these may be used. Default none. */
  readonly collections?: readonly CollectionDefinition[]
  /**
   * Wires the plugin: contributes, provides, uses. It does not wait for the network; a plugin
   * connects when it first needs to. It may return one more disposer. A throw undoes everything and
   * becomes the plugin's reason in the start report.
   */
  setup(context: SetupContext<Manifest>): void | Disposer | Promise<void | Disposer>
}

/**
 * Makes a plugin. The module's default export is its result; nothing runs at import time.
 *
 * @example
 * export default definePlugin({
 *   manifest: {
 *     id: 'tool-dice',
 *     apiVersion: 1,
 *     contributes: ['tool'],
 *     config: Type.Object({ sides: Type.Integer({ default: 6 }) }),
 *   },
 *   setup(context) {
 *     const rollDice = defineTool({
 *       name: 'roll_dice',
 *       description: 'Rolls a die and answers with what it shows.',
 *       parameters: Type.Object({}),
 *       execute: () => String(Math.ceil(Math.random() * context.config.sides)),
 *     })
 *     context.contribute(tools, rollDice)
 *   },
 * })
 */
export function definePlugin<const Manifest extends PluginManifest>(definition: PluginDefinition<Manifest>): Plugin {
  const { collections = [], setup } = definition as { readonly collections?: unknown; readonly setup?: unknown }
  if (!Array.isArray(collections)) throw new TypeError('“collections” of definePlugin must be a list: collections: [notes]')
  if (typeof setup !== 'function') throw new TypeError('“setup” of definePlugin must be a function: setup(context) { … }')
  const plugin: Plugin = {
    manifest: definition.manifest,
    collections: Object.freeze([...(definition.collections ?? [])]),
    setup: (context) => definition.setup(context as unknown as SetupContext<Manifest>),
  }
  Object.defineProperty(plugin, marker, { value: true, enumerable: false })
  return Object.freeze(plugin)
}

/** True for a plugin made by any copy of the SDK. */
export function isPlugin(value: unknown): value is Plugin {
  return typeof value === 'object' && value !== null && (value as Record<symbol, unknown>)[marker] === true
}
