import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vite'
import solid from 'vite-plugin-solid'
import { adoptStyles } from './adopt-styles.mjs'
import { compressFiles, compressText } from './compress-files.mjs'
import { fitKatex } from './fit-katex.mjs'
import { moveManifest } from './move-manifest.mjs'

const folder = (name) => fileURLToPath(new URL(name, import.meta.url))

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

/** What only some screens need of what screens share. */
const later =
  /\/web\/(api\/(field-problems|read-agents|upload-in-pieces)|core\/line-diff|i18n\/(money|times)|ui\/(form-dialog|shipped-words)|(api\/configuration|app\/configuration\/|ui\/choice-cards))\.tsx?$/

/**
 * What is loaded together stands in one file, since a browser asks a service for six at a time: what screens share
 * comes with the first load, but for what few of them need; what runs beside every screen, what begins a message (but for
 * the list of models, which is opened first) and lists what waits, what several screens show of answers and chats (but for deleted ones),
 * the turns of a chat (but for those that failed), and what several show of accounts are a file each.
 */
const chunks = [
  {
    name: 'common',
    test: (id) => /\/web\/((api|app|core|ui)\/|i18n\/[^/]+$)|\/node_modules\/solid-js\//.test(id) && !later.test(id),
    priority: 4,
  },
  { name: 'configuration', test: /\/web\/(api\/configuration|app\/configuration\/|ui\/choice-cards)\./, priority: 3 },
  { name: 'providers', test: /\/web\/providers\//, priority: 2 },
  { name: 'beside', test: /\/web\/screens\/[^/]+\/start\.ts$/, priority: 3 },
  {
    name: 'composer',
    test: /\/web\/(composer\/(?!giving|dictation|slash)|composer\/slash\/slash\.ts|choices\/(?!model-(choices|list))|outbox|live-chat\/known-tools|turns\/asked\/asked-call)/,
    priority: 2,
  },
  { name: 'accounts', test: /\/web\/accounts\/[^/]+\.ts$/, priority: 1 },
  {
    name: 'answers',
    test: /\/web\/(beside|chats\/(?!bin)|turns\/files\/attached-files|screens\/chat|diagrams|highlight|markdown|maths)/,
    minShareCount: 2,
    priority: 2,
  },
  { name: 'formats', test: /\/web\/screens\/usage\/formats\.ts$/, priority: 2 },
  { name: 'turns', test: /\/web\/(turns|live-chat|failures)\/(?!failed-turn)/, minShareCount: 2, priority: 1 },
]

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
    mermaidFile,
    adoptStyles(folder('web/screens/terminal/adopted-style.ts')),
    fitKatex,
    sqlDialects,
    solid({ hot: false, ssr: false, solid: { moduleName: '#dom' } }),
    moveManifest(folder('dist/web/assets/manifest.json'), folder('dist/web-chunks.json')),
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
    rolldownOptions: {
      checks: { pluginTimings: false },
      output: { codeSplitting: { groups: chunks } },
    },
    manifest: 'assets/manifest.json',
    sourcemap: false,
  },
})
