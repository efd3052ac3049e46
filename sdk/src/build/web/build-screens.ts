import { existsSync } from 'node:fs'
import { rename } from 'node:fs/promises'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { builtScreensFile } from '../../contracts/console-panel/built-screens.js'
import { pluginBuildError } from '../common/build-errors.js'
import { screensOf, startSuffix } from './built-files.js'
import { compressFiles } from './compress-files.js'
import { listScreens, type ScreenEntry } from './screen-entries.js'
import { isShared, sharedAddress } from './shared-modules.js'
import { findTextProblems } from './texts/find-text-problems.js'
import { createTextGroups } from './texts/text-groups.js'
import { type Bundle, loadWebTools } from './vite.js'

/** Screens that were built. */
export interface BuiltScreenFolder {
  /** The built folder. Absolute. */
  readonly folder: string
  /** The names of the screens in it. */
  readonly screens: readonly string[]
}

/** Whether a plugin has screens to be built, in `web/screens`. A web app with a page of its own is built in its own way. */
export const hasScreens = (pluginFolder: string): boolean =>
  existsSync(path.join(pluginFolder, 'web', 'screens')) && !existsSync(path.join(pluginFolder, 'web', 'index.html'))

/** The list of chunks that the build writes beside the folder; only checks of sizes read it. */
const chunksFile = 'web-chunks.json'

/**
 * Builds `web/screens` of a plugin into `dist/web`: static files with hashed names, without what the console has for all screens
 * (Solid, and `@agent-service/sdk/web`), and `screens.json`, which names them. `vite.config.mjs` of the plugin, if there is one, adds to
 * the configuration. @throws a `plugin_build_failed` error with what Vite says, or with what is wrong with its texts
 */
export async function buildScreens(pluginFolder: string): Promise<BuiltScreenFolder> {
  const root = path.resolve(pluginFolder)
  const { vite, solid } = loadWebTools(root)
  const screens = await listScreens(root)
  const textProblems = await findTextProblems(path.join(root, 'web'))
  if (textProblems.length > 0) throw pluginBuildError.create({ folder: pluginFolder, reason: textProblems.join('\n') })
  const folder = path.join(root, 'dist', 'web')
  const plugins = [
    createTextGroups(),
    writeScreensFile,
    solid({ hot: false, ssr: false, solid: { moduleName: '@agent-service/sdk/web/dom' } }),
  ]
  const defaults = { ...configuration(root, folder, screens), plugins }
  try {
    await vite.build(vite.mergeConfig(defaults, await ownConfiguration(root)))
  } catch (error) {
    const reason = `web/screens could not be built: ${error instanceof Error ? error.message : String(error)}`
    throw pluginBuildError.create({ folder: pluginFolder, reason }, { cause: error })
  }
  await rename(path.join(folder, chunksFile), path.join(root, 'dist', chunksFile))
  await compressFiles(folder)
  return { folder, screens: screens.map(({ name }) => name) }
}

/** What the plugin's own `vite.config.mjs` says. */
async function ownConfiguration(root: string): Promise<object> {
  const file = path.join(root, 'vite.config.mjs')
  if (!existsSync(file)) return {}
  const module = (await import(pathToFileURL(file).href)) as { readonly default?: object }
  return module.default ?? {}
}

const configuration = (root: string, folder: string, screens: readonly ScreenEntry[]): object => ({
  root: path.join(root, 'web'),
  base: './',
  configFile: false,
  logLevel: 'warn',
  publicDir: false,
  cacheDir: path.join(root, 'node_modules', '.vite'),
  build: {
    outDir: folder,
    emptyOutDir: true,
    target: ['chrome123', 'firefox120', 'safari17.5'],
    assetsDir: '',
    assetsInlineLimit: 0,
    cssCodeSplit: true,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    manifest: chunksFile,
    sourcemap: false,
    rolldownOptions: {
      input: inputOf(screens),
      preserveEntrySignatures: 'strict',
      external: isShared,
      checks: { pluginTimings: false },
      output: {
        entryFileNames: '[name]-[hash].js',
        chunkFileNames: '[name]-[hash].js',
        assetFileNames: '[name]-[hash][extname]',
        paths: (specifier: string) => (isShared(specifier) ? sharedAddress(specifier) : specifier),
      },
    },
  },
})

const inputOf = (screens: readonly ScreenEntry[]): Readonly<Record<string, string>> =>
  Object.fromEntries(
    screens.flatMap(({ name, component, start }) => [
      [name, component],
      ...(start === undefined ? [] : [[`${name}${startSuffix}`, start] as const]),
    ]),
  )

/** Adds `screens.json` to the built files, once Vite has taken out the modules that held nothing but styles. */
const writeScreensFile = {
  name: 'screens-file',
  enforce: 'post',
  generateBundle: {
    order: 'post',
    handler(this: { emitFile(file: object): void }, _options: unknown, bundle: Bundle): void {
      this.emitFile({ type: 'asset', fileName: builtScreensFile, source: `${JSON.stringify(screensOf(bundle), null, 2)}\n` })
    },
  },
}
