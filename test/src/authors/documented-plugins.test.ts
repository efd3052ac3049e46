import { mkdir, mkdtemp, readdir, readFile, realpath, rm, symlink, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { createTestKernel } from '@agent-service/kernel/testing'
import type { PluginReport } from '@agent-service/kernel-core/plugins'
import type { Plugin } from '@agent-service/sdk'
import { isPlugin } from '@agent-service/sdk/host'
import { expect } from 'chai'
import ts from 'typescript'
import { linesOfAuthors, linesOfOperators, reportOf } from './support/written-plugin.js'

const sdkFolder = path.resolve(import.meta.dirname, '../../../sdk')
const docs = path.join(sdkFolder, 'docs')

/** A whole plugin in the pages for authors, written to a folder as its build would. */
interface Documented {
  /** `points/tool.md, line 50`. */
  readonly title: string
  readonly folder: string
  readonly id: string
}

interface Block {
  readonly line: number
  readonly file: string
  readonly text: string
}

/** The blocks of a page that begin with their imports. */
function blocksOf(content: string): readonly Block[] {
  return [...content.matchAll(/^```ts(?: file=(\S+))?\n([\s\S]*?)^```$/gm)].flatMap(({ 1: file, 2: text = '', index }) => {
    const line = content.slice(0, index).split('\n').length
    return /^import\b/.test(text.trimStart()) ? [{ line, file: file ?? `line-${line}.ts`, text }] : []
  })
}

async function writePage(page: string, root: string): Promise<readonly Documented[]> {
  const blocks = blocksOf(await readFile(path.join(docs, page), 'utf8')).filter(({ file }) => !file.endsWith('.test.ts'))
  const written: Documented[] = []
  for (const { line, file, text } of blocks) {
    if (isForBrowsers(text)) continue
    const folder = path.join(root, `${page.replaceAll(/[^a-z-]/g, '-')}-${line}`)
    for (const block of blocks) await writeModule(path.join(folder, 'dist', block.file), block.text)
    const entry = `./${file.replace(/\.ts$/, '.js')}`
    const module = (await import(pathToFileURL(path.join(folder, 'dist', entry)).href)) as { readonly default?: unknown }
    if (!isPlugin(module.default)) continue
    await writeManifest(folder, module.default, entry)
    written.push({ title: `${page}, line ${line}`, folder, id: module.default.manifest.id })
  }
  return written
}

/** Screens are no modules of Node. A test of their own follows their page. */
const isForBrowsers = (text: string): boolean => /from '(@agent-service\/sdk\/web|solid-js)/.test(text)

async function writeModule(file: string, text: string): Promise<void> {
  const { outputText } = ts.transpileModule(text, { compilerOptions: { module: ts.ModuleKind.ESNext, target: ts.ScriptTarget.ES2023 } })
  await mkdir(path.dirname(file), { recursive: true })
  await writeFile(file.replace(/\.ts$/, '.js'), outputText)
}

async function writeManifest(folder: string, { manifest }: Plugin, entry: string): Promise<void> {
  const json = { name: path.basename(folder), version: '1.0.0', type: 'module', agentService: { plugin: './dist/plugin.json' } }
  await writeFile(path.join(folder, 'package.json'), JSON.stringify(json))
  await writeFile(path.join(folder, 'dist/plugin.json'), JSON.stringify({ ...manifest, version: '1.0.0', entry }))
}

/** Parts of a list in which each id occurs once: the plugins of one deployment. */
function withoutTwins(plugins: readonly Documented[]): readonly (readonly Documented[])[] {
  const rounds: Documented[][] = []
  for (const plugin of plugins) {
    const round = rounds.find((others) => others.every(({ id }) => id !== plugin.id))
    if (round === undefined) rounds.push([plugin])
    else round.push(plugin)
  }
  return rounds
}

/** It runs, or only waits to be selected by a setting. */
const isAccepted = ({ state, reason }: PluginReport): boolean =>
  state === 'active' || (state === 'disabled' && reason?.startsWith('not selected by') === true)

describe('the plugins in the pages for authors', function () {
  this.timeout(120_000)
  let root: string
  let plugins: readonly Documented[]
  before(async () => {
    root = await realpath(await mkdtemp(path.join(os.tmpdir(), 'documented-plugins-')))
    await mkdir(path.join(root, 'node_modules/@agent-service'), { recursive: true })
    await symlink(sdkFolder, path.join(root, 'node_modules/@agent-service/sdk'))
    const pages = (await readdir(docs, { recursive: true })).filter((name) => name.endsWith('.md')).sort()
    plugins = (await Promise.all(pages.map((page) => writePage(page, root)))).flat()
  })
  after(() => rm(root, { recursive: true, force: true }))

  it('are refused by neither validate command', async () => {
    const lines: string[] = []
    for (const { title, folder } of plugins)
      for (const line of [...(await linesOfAuthors(folder)), ...(await linesOfOperators(folder, root))]) lines.push(`${title}: ${line}`)
    expect(lines).to.deep.equal([])
    expect(plugins).to.have.length.above(10)
  })

  it('are loaded by the host', async () => {
    const refused: string[] = []
    for (const round of withoutTwins(plugins)) {
      const kernel = await createTestKernel({ plugins: round.map(({ folder }) => folder) })
      const reports = kernel.plugins.report()
      await kernel.stop()
      for (const { title, folder } of round) {
        const report = reportOf(reports, folder)
        if (!isAccepted(report)) refused.push(`${title}: ${report.state}: ${report.reason}`)
      }
    }
    expect(refused).to.deep.equal([])
  })
})
