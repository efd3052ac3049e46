import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'
import { compressFiles, compressText, createTextGroups } from '@agent-service/sdk/author'
import { defineConfig } from 'vite'
import solid from 'vite-plugin-solid'
import { fitKatex } from './fit-katex.mjs'
import { moveManifest } from './move-manifest.mjs'

const folder = (name) => fileURLToPath(new URL(name, import.meta.url))
const kit = (name) => folder(`../../sdk/web/${name}.ts`)

/**
 * Puts Mermaid beside the app, compressed: no browser asks for it, but the service, which writes it into the page of the
 * frame in which diagrams are drawn.
 */
const mermaidFile = {
  name: 'mermaid-file',
  async generateBundle() {
    const file = createRequire(import.meta.url).resolve('@mermaid-js/tiny/dist/mermaid.tiny.js')
    this.emitFile({ type: 'asset', fileName: 'frames/mermaid.js.br', source: await compressText(readFileSync(file)) })
  },
}

/** Says of the calls that make grammars of SQL that they have no effect, so that dialects that nothing names are left out. */
const sqlDialects = {
  name: 'sql-dialects',
  transform(code, id) {
    if (!id.endsWith('/@codemirror/legacy-modes/mode/sql.js')) return null
    return { code: code.replaceAll(/(?<=[=:] )(?=(?:sql|set)\()/g, '/* @__PURE__ */ '), map: null }
  },
}

/** Has the page ask at once for what every screen of a plugin imports, which would wait for the first of them otherwise. */
const preloadKit = {
  name: 'preload-kit',
  transformIndexHtml: {
    order: 'post',
    handler: () =>
      ['solid', 'web'].map((name) => ({
        tag: 'link',
        injectTo: 'head',
        attrs: { rel: 'modulepreload', crossorigin: true, href: `/assets/kit/${name}.js` },
      })),
  },
}

/** Writes the compressed copies of what was built, which the service sends in place of the files. */
const compressedCopies = {
  name: 'compressed-copies',
  apply: 'build',
  closeBundle: { order: 'post', sequential: true, handler: (error) => (error ? undefined : compressFiles(folder('dist/web'))) },
}

/**
 * What screens of plugins import of the console's files, at addresses that stay: `assets/kit/<name>.js` names the parts with hashed
 * names. The SDK's side of it is in `sdk/src/build/web/shared-modules.ts`.
 */
const kitEntries = ['web', 'solid', 'configuration', 'forms', 'lists', 'markdown', 'preview', 'uploads', 'words']
const kitFile = (name) => ({ web: 'index', solid: 'core/solid' })[name] ?? name

/** The parts of the kit that are an entry of their own, so that the first load is without them. */
const later =
  /\/sdk\/web\/(api\/(configuration|field-problems|upload(-in-pieces)?)|app\/configuration\/\w+(-\w+)*|ui\/(choice-cards|form-dialog|json-schema|schema-form|shipped-words))\.(css|tsx?)$/

/**
 * What is loaded together stands in one file, since a browser asks a service for six at a time: what every screen may use of the kit
 * comes with the first load; what several show of accounts is a file.
 */
const chunks = [
  {
    name: 'common',
    test: (id) =>
      /\/sdk\/web\/((api|app|core|ui)\/|i18n\/[^/]+$)|\/feature-console\/web\/(api|app|shell|screens\/panels\/(start|panel)\.)|\/node_modules\/solid-js\//.test(
        id,
      ) && !later.test(id),
    priority: 4,
  },
  {
    name: 'configuration',
    test: /\/sdk\/web\/(configuration\.|api\/configuration\.|app\/configuration\/|ui\/choice-cards\.)/,
    priority: 3,
  },
  { name: 'markdown-text', test: /\/sdk\/web\/(markdown\/(limits|load-markdown)\.|highlight\/code\.css$)/, priority: 2 },
  { name: 'accounts', test: /\/web\/accounts\/[^/]+\.ts$/, priority: 1 },
]

/**
 * Builds `web/` into `dist/web`: static files with hashed names, no script and no style in the
 * page. Scripts and styles name each other relative to themselves, since the service may be below a path; the page names its files
 * from `/`, and the service writes the path in front. Compiled templates go through `sdk/web/core/dom.ts`, which makes them trusted.
 */
export default defineConfig({
  root: folder('web'),
  base: '/',
  experimental: { renderBuiltUrl: (file, { hostType }) => (hostType === 'html' ? `/${file}` : { relative: true }) },
  publicDir: 'public',
  cacheDir: folder('../../node_modules/.cache/agent-service/vite'),
  logLevel: 'warn',
  plugins: [
    createTextGroups(),
    mermaidFile,
    fitKatex,
    sqlDialects,
    solid({ hot: false, ssr: false, solid: { moduleName: '@agent-service/sdk/web/dom' } }),
    moveManifest(folder('dist/web/assets/manifest.json'), folder('dist/web-chunks.json')),
    preloadKit,
    compressedCopies,
  ],
  resolve: {
    alias: [
      { find: /^@agent-service\/sdk\/web$/, replacement: kit('index') },
      { find: /^@agent-service\/sdk\/web\/dom$/, replacement: kit('core/dom') },
      { find: /^@agent-service\/sdk\/web\/(\w+)$/, replacement: folder('../../sdk/web/$1.ts') },
    ],
  },
  build: {
    outDir: folder('dist/web'),
    emptyOutDir: true,
    target: ['chrome123', 'firefox120', 'safari17.5'],
    assetsInlineLimit: 0,
    cssCodeSplit: true,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    rolldownOptions: {
      input: {
        index: folder('web/index.html'),
        ...Object.fromEntries(kitEntries.map((name) => [name, kit(kitFile(name))])),
      },
      preserveEntrySignatures: 'strict',
      checks: { pluginTimings: false },
      output: {
        entryFileNames: ({ name }) => (name === 'index' ? 'assets/[name]-[hash].js' : 'assets/kit/[name].js'),
        codeSplitting: { groups: chunks },
      },
    },
    manifest: 'assets/manifest.json',
    sourcemap: false,
  },
})
