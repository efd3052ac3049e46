import type { Static, TObject, TSchema } from 'typebox'
import type { PluginManifest } from './plugin-manifest.js'

/**
 * The type of `context.config`: the plugin's own settings, or for a plugin that owns sections of
 * the file an object with one member a section. Defaults have been filled in, references expanded,
 * and everything validated before `setup` runs.
 */
export type ConfigurationOf<Manifest extends PluginManifest> = Manifest extends { readonly config: infer Schema extends TObject }
  ? Static<Schema>
  : Manifest extends { readonly sections: infer Sections extends Readonly<Record<string, TSchema>> }
    ? { readonly [Name in keyof Sections]: Static<Sections[Name]> }
    : Readonly<Record<string, never>>
