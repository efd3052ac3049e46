import { createRequire } from 'node:module'
import path from 'node:path'
import { createTextGroups } from '@agent-service/sdk/author'
import type { Page } from 'playwright-core'
import { type Plugin, rolldown } from 'rolldown'
import { repository, webSource } from './web-sources.js'

const entry = '\0web-modules'
const kit = path.join(repository, 'sdk/web')

/** Replaces modules, by their path in the repository, with these sources. */
export type Replacements = Readonly<Record<string, string>>

/** The file that an import of the kit means. */
function kitFile(specifier: string): string | undefined {
  const [, name] = /^@agent-service\/sdk\/web(?:\/(\w+))?$/.exec(specifier) ?? [undefined, undefined]
  if (name !== undefined) return path.join(kit, name === 'dom' ? 'core/dom.ts' : `${name}.ts`)
  return specifier === '@agent-service/sdk/web' ? path.join(kit, 'index.ts') : undefined
}

/** Compiles components as the build of the console does, whose plugin it is. */
async function compileComponent(file: string): Promise<{ readonly code: string; readonly moduleType: 'ts' }> {
  const ofConsole = createRequire(path.join(repository, 'plugins/feature-console/package.json'))
  const ofCompiler = createRequire(ofConsole.resolve('vite-plugin-solid'))
  const babel = ofCompiler('@babel/core') as Babel
  const result = await babel.transformAsync(webSource(path.relative(repository, file)), {
    filename: file,
    presets: [[ofCompiler('babel-preset-solid'), { moduleName: '@agent-service/sdk/web/dom' }]],
    parserOpts: { plugins: ['jsx', 'typescript'] },
    configFile: false,
    babelrc: false,
  })
  return { code: result?.code ?? '', moduleType: 'ts' }
}

interface Babel {
  transformAsync(code: string, options: object): Promise<{ readonly code?: string | null } | null>
}

/**
 * Bundles modules of the kit, the console and the screens of plugins, by their path in the repository, into one script. It makes
 * `window.web` with everything that they export. Of the kit it has only what they use.
 */
export async function bundleWebModules(files: readonly string[], replaced: Replacements = {}): Promise<string> {
  const named = new Set(files.map((file) => path.join(repository, file)))
  const plugin: Plugin = {
    name: 'web-modules',
    resolveId(id, importer) {
      if (id === entry) return id
      if (!id.startsWith('.') || importer === undefined) return kitFile(id) ?? null
      const file = path.resolve(path.dirname(importer), id.replace(/\.js$/, '.ts'))
      return path.relative(repository, file) in replaced ? file : null
    },
    async load(id) {
      if (id === entry) return [...named].map((file) => `export * from ${JSON.stringify(file)}`).join('\n')
      const other = replaced[path.relative(repository, id)]
      return other ?? (id.endsWith('.tsx') ? compileComponent(id) : null)
    },
  }
  const bundle = await rolldown({
    input: entry,
    plugins: [createTextGroups(), plugin],
    platform: 'browser',
    resolve: { extensionAlias: { '.js': ['.ts', '.tsx', '.js'] } },
    moduleTypes: { '.css': 'empty' },
    logLevel: 'silent',
    treeshake: { moduleSideEffects: (id) => named.has(id) || !id.startsWith(kit) },
  })
  const { output } = await bundle.generate({ format: 'iife', name: 'web', exports: 'named' })
  await bundle.close()
  return `${output[0].code}\nwindow.web = web`
}

/** The page of an empty site with the modules in it; `basePath`: as the service gives it below that path. */
export async function openWebModules(page: Page, code: string, at = '/', basePath = ''): Promise<void> {
  const manifest = `<link rel="manifest" href="${basePath.replaceAll('&', '&amp;')}/manifest.webmanifest">`
  await page.context().unroute('http://console.localhost/**')
  await page.context().route('http://console.localhost/**', (route) =>
    route.fulfill({
      contentType: 'text/html',
      body: `<!doctype html><html lang="en"><title>Empty</title>${basePath === '' ? '' : manifest}<main id="root"></main></html>`,
    }),
  )
  await page.goto(`http://console.localhost${at}`)
  await page.addScriptTag({ content: code })
}

/** Calls an export with plain values. */
export const callExport = (page: Page, name: string, ...given: readonly unknown[]): Promise<unknown> =>
  page.evaluate(
    ([exported, values]) => {
      const { web } = globalThis as unknown as { readonly web: Readonly<Record<string, (...values: readonly unknown[]) => unknown>> }
      return web[exported as string]?.(...(values as readonly unknown[]))
    },
    [name, given] as const,
  )
