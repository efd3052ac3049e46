import { createRequire } from 'node:module'
import path from 'node:path'
import { pluginBuildError } from '../common/build-errors.js'

/** What the build of screens uses of Vite: the SDK does not depend on it, the plugin does. */
export interface Vite {
  build(config: object): Promise<unknown>
  mergeConfig(defaults: object, overrides: object): object
}

/** A file of a build, as plugins of Vite see it. */
export interface BuiltChunk {
  readonly type: 'chunk'
  readonly name: string
  readonly fileName: string
  readonly isEntry: boolean
  /** File names, and addresses of what is not built with it. */
  readonly imports: readonly string[]
  readonly viteMetadata?: { readonly importedCss: ReadonlySet<string> }
}

/** All files of a build, by name. */
export type Bundle = Readonly<Record<string, BuiltChunk | { readonly type: 'asset' }>>

interface WebTools {
  readonly vite: Vite
  /** The plugin that compiles components. */
  readonly solid: (options: object) => object
}

/** Loads Vite and its plugin for Solid from the packages of the plugin. @throws a `plugin_build_failed` error without them. */
export function loadWebTools(pluginFolder: string): WebTools {
  const load = createRequire(path.join(pluginFolder, 'package.json'))
  try {
    return { vite: load('vite') as Vite, solid: load('vite-plugin-solid') as WebTools['solid'] }
  } catch (error) {
    const reason = 'web/screens is built with packages that are missing. Run: npm install --save-dev vite vite-plugin-solid solid-js'
    throw pluginBuildError.create({ folder: pluginFolder, reason }, { cause: error })
  }
}
