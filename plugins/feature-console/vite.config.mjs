import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vite'
import solid from 'vite-plugin-solid'
import { adoptStyles } from './adopt-styles.mjs'
import { compressFiles } from './compress-files.mjs'

const folder = (name) => fileURLToPath(new URL(name, import.meta.url))

/**
 * Builds `web/` into `dist/web`: static files with hashed names, no script and no style in the
 * page. Scripts and styles name each other relative to themselves, since the service may be below a path; the page names its files
 * from `/`, and the service writes the path in front. Compiled templates go through `core/dom.ts`, which makes them trusted.
 */
export default defineConfig({
  root: folder('web'),
  base: '/',
  experimental: { renderBuiltUrl: (file, { hostType }) => (hostType === 'html' ? `/${file}` : { relative: true }) },
  publicDir: 'public',
  cacheDir: folder('../../node_modules/.cache/agent-service/vite'),
  logLevel: 'warn',
  plugins: [
    adoptStyles(folder('web/screens/terminal/adopted-style.ts')),
    solid({ hot: false, ssr: false, solid: { moduleName: '#dom' } }),
    compressFiles(folder('dist/web')),
  ],
  resolve: { alias: { '#dom': folder('web/core/dom.ts') } },
  build: {
    outDir: folder('dist/web'),
    emptyOutDir: true,
    target: ['chrome123', 'firefox120', 'safari17.5'],
    assetsInlineLimit: 0,
    cssCodeSplit: true,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    rollupOptions: { checks: { pluginTimings: false } },
    manifest: 'assets/manifest.json',
    sourcemap: false,
  },
})
