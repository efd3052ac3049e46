import path from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Page } from 'playwright-core'
import { type Plugin, rolldown } from 'rolldown'

const sources = fileURLToPath(new URL('../../../../plugins/feature-console/web/', import.meta.url))
const entry = '\0web-modules'

/** Replaces modules of the console, by their path below `web`, with these sources. */
export type Replacements = Readonly<Record<string, string>>

/**
 * Bundles modules of the console, by their path below `web`, into one script. It makes `window.web`
 * with everything that they export.
 */
export async function bundleWebModules(files: readonly string[], replaced: Replacements = {}): Promise<string> {
  const plugin: Plugin = {
    name: 'web-modules',
    resolveId(id, importer) {
      if (id === entry) return id
      if (!id.startsWith('.') || importer === undefined) return null
      const folder = importer === entry ? sources : path.dirname(importer)
      const file = path.resolve(folder, id.replace(/\.js$/, '.ts'))
      return path.relative(sources, file) in replaced ? file : null
    },
    load(id) {
      if (id === entry) return files.map((file) => `export * from ${JSON.stringify(path.join(sources, file))}`).join('\n')
      return replaced[path.relative(sources, id)] ?? null
    },
  }
  const bundle = await rolldown({
    input: entry,
    plugins: [plugin],
    platform: 'browser',
    resolve: { extensionAlias: { '.js': ['.ts', '.tsx', '.js'] } },
    moduleTypes: { '.css': 'empty' },
    logLevel: 'silent',
    treeshake: false,
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
