import type { PluginManifest } from '../manifest/plugin-manifest.js'

/** The lists of a manifest that limit `setup`. */
export type DeclaredList = 'contributes' | 'provides' | 'requires' | 'optional'

/**
 * The ids in a list of a manifest: `string` if the compiler does not know the manifest, `never` if
 * the list is absent.
 */
export type DeclaredIds<Manifest extends PluginManifest, List extends DeclaredList> = Manifest extends {
  readonly [Key in List]?: infer Ids
}
  ? Exclude<Ids, undefined> extends readonly (infer Id extends string)[]
    ? Id
    : never
  : never

/**
 * What the compiler shows where `setup` does what the manifest does not list. Never there at run
 * time.
 */
export interface NotDeclared<Message extends string> {
  /** What to write in the manifest. */
  readonly 'not declared': Message
}

/**
 * Nothing if `Id` is in the list, or if the compiler does not know the id; else what is missing.
 */
export type MustDeclare<Manifest extends PluginManifest, List extends DeclaredList, Id extends string> = string extends Id
  ? unknown
  : Id extends DeclaredIds<Manifest, List>
    ? unknown
    : NotDeclared<`Add “${Id}” to “${List}” of the manifest.`>

/**
 * The same for a service that is used: `requires` or `optional` names it, or it is the kernel's.
 */
export type MustDeclareUse<Manifest extends PluginManifest, Id extends string> = string extends Id
  ? unknown
  : Id extends `kernel.${string}` | DeclaredIds<Manifest, 'requires'> | DeclaredIds<Manifest, 'optional'>
    ? unknown
    : NotDeclared<`Add “${Id}” to “requires” or “optional” of the manifest.`>

/** The options of `use`. */
export interface UseOptions {
  /** An absent service is `undefined`. What the manifest lists in `optional` is so without it. */
  readonly optional: true
}

/**
 * What `use` gives: `T`, or `T | undefined` if the manifest lists the service in `optional` alone,
 * or if the call says so.
 */
export type UsedService<T, Id extends string, Manifest extends PluginManifest, Options> = [Options] extends [UseOptions]
  ? T | undefined
  : string extends DeclaredIds<Manifest, 'optional'>
    ? T
    : string extends Id
      ? T
      : Id extends DeclaredIds<Manifest, 'optional'>
        ? T | undefined
        : T

/** Members that no manifest has, each with what is wrong as its type. */
export type NoUnknownMembers<Manifest> = {
  readonly [Name in Exclude<keyof Manifest, keyof PluginManifest>]: `“${Name & string}” is not a member of a manifest.`
}
