import { existsSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import path from 'node:path'

/** The module that makes a page in Node. Every built file begins with it, since the kit looks at the page as it is loaded. */
export const pageModule = '@agent-service/sdk/web/testing/page'

/** What tests of components use as it stands in `node_modules`: there is one copy for all of them. */
const forTests = /^(chai|mocha|happy-dom|@testing-library\/[^/]+|node:.+)$/

/** Whether an import of a test is left to Node. */
export const isOfRunner = (specifier: string): boolean => forTests.test(specifier)

/** Whether a file is a test of what runs in browsers. */
export const isWebTest = (file: string): boolean => /\.test\.tsx?$/.test(file)

/** The test files below the `web` folder of a package, relative to it and sorted. */
export async function listWebTests(packageFolder: string): Promise<readonly string[]> {
  const web = path.join(packageFolder, 'web')
  if (!existsSync(web)) return []
  const skipped = ['dist', 'node_modules'].map((name) => `${name}${path.sep}`)
  const files = await readdir(web, { recursive: true })
  return files.filter((file) => isWebTest(file) && !skipped.some((folder) => file.startsWith(folder))).sort()
}

/** `{ 'screens/dice/dice.test': '<folder>/web/screens/dice/dice.test.tsx' }` */
export const testInputs = (packageFolder: string, tests: readonly string[]): Readonly<Record<string, string>> =>
  Object.fromEntries(tests.map((file) => [file.replace(/\.tsx?$/, ''), path.join(packageFolder, 'web', file)]))

/** Style sheets have no effect without a page that is drawn. */
const emptyStyles = {
  name: 'empty-styles',
  enforce: 'pre',
  resolveId: (source: string) => (source.endsWith('.css') ? '\0empty-style' : undefined),
  load: (id: string) => (id === '\0empty-style' ? 'export default ""' : undefined),
}

/**
 * How the compiler of components works for tests: as for the product, but for the quotes of attributes, without which the
 * parser of happy-dom loses an address that ends with a slash.
 */
const compilerOptions = {
  hot: false,
  ssr: false,
  solid: { moduleName: '@agent-service/sdk/web/dom', generate: 'dom', omitQuotes: false },
}

const isTestEntry = ({ isEntry, name }: { readonly isEntry: boolean; readonly name: string }): boolean => isEntry && name.endsWith('.test')

/** What all builds of tests share. `inputs` are absolute paths by the names of what they become. */
export const testConfiguration = (options: {
  readonly root: string
  readonly outDir: string
  readonly inputs: Readonly<Record<string, string>>
  readonly solid: (options: object) => object
  readonly isExternal: (specifier: string) => boolean
  /** Of what several of them have in common. */
  readonly partNames: string
  readonly paths?: (specifier: string) => string
}): object => ({
  root: options.root,
  base: './',
  configFile: false,
  logLevel: 'warn',
  publicDir: false,
  plugins: [emptyStyles, options.solid(compilerOptions)],
  build: {
    outDir: options.outDir,
    emptyOutDir: true,
    target: 'es2023',
    minify: false,
    modulePreload: false,
    reportCompressedSize: false,
    sourcemap: true,
    rolldownOptions: {
      input: options.inputs,
      preserveEntrySignatures: 'strict',
      external: options.isExternal,
      checks: { pluginTimings: false },
      output: {
        entryFileNames: '[name].js',
        chunkFileNames: options.partNames,
        banner: (chunk: { readonly isEntry: boolean; readonly name: string }) => (isTestEntry(chunk) ? `import '${pageModule}'` : ''),
        ...(options.paths && { paths: options.paths }),
      },
    },
  },
})
