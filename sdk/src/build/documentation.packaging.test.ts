import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect } from 'chai'
import ts from 'typescript'
import { isPlugin } from '../plugin/define-plugin.js'
import { createTestContext, serviceNotGivenError } from '../testing/create-test-context.js'
import { compileSnippets, isForWeb, sdkFolder } from './compile-snippets.test.js'

interface Snippet {
  /** `points/tool.md, line 50`. */
  readonly title: string
  /** Its path among the others: files of one page share one folder. */
  readonly file: string
  readonly text: string
}

const docs = path.join(sdkFolder, 'docs')
/** The complete ones: those that begin with their imports, and data that has a name. Others are parts of something. */
const isComplete = ({ file, text }: Snippet): boolean => file.endsWith('.json') || /^import\b/.test(text.trimStart())
/** Screens run in the page of the console. */
const isForNode = ({ file }: Snippet): boolean => !isForWeb(file)

async function readSnippets(): Promise<readonly Snippet[]> {
  const pages = (await readdir(docs, { recursive: true })).filter((name) => name.endsWith('.md')).sort()
  const all = await Promise.all(
    pages.map(async (page) => {
      const content = await readFile(path.join(docs, page), 'utf8')
      const folder = page.replace(/\.md$/, '')
      return [...content.matchAll(/^```(tsx?|json(?= file=))(?: file=(\S+))?\n([\s\S]*?)^```$/gm)].map(
        ({ 1: kind, 2: name, 3: text = '', index }) => {
          const line = content.slice(0, index).split('\n').length
          return { title: `${page}, line ${line}`, file: path.join(folder, name ?? `line-${line}.${kind}`), text }
        },
      )
    }),
  )
  return all.flat().filter(isComplete)
}

describe('the TypeScript of docs', function () {
  this.timeout(120_000)
  let snippets: readonly Snippet[]
  let folder: string
  before(async () => {
    snippets = await readSnippets()
    folder = await mkdtemp(path.join(os.tmpdir(), 'agent-service-docs-'))
    await mkdir(path.join(folder, 'node_modules/@agent-service'), { recursive: true })
    await symlink(sdkFolder, path.join(folder, 'node_modules/@agent-service/sdk'))
    await writeFile(path.join(folder, 'package.json'), '{ "type": "module" }')
    for (const { file, text } of snippets.filter(isForNode)) {
      const compiled = path.join(folder, file.replace(/\.ts$/, '.js'))
      await mkdir(path.dirname(compiled), { recursive: true })
      const { outputText } = ts.transpileModule(text, { compilerOptions: { module: ts.ModuleKind.ESNext, target: ts.ScriptTarget.ES2023 } })
      await writeFile(compiled, outputText)
    }
  })
  after(() => rm(folder, { recursive: true, force: true }))

  it('has a page with a whole snippet for every point', async () => {
    const points = await readdir(path.join(docs, 'points'))
    expect(points).to.include.members(['tool.md', 'http-route.md', 'scheduler-job.md', 'user-data.md', 'cli-command.md'])
    const withoutOne = points.filter((page) => !snippets.some(({ title }) => title.startsWith(`points/${page}`)))
    expect(withoutOne).to.deep.equal([])
  })

  it('type-checks', () => {
    const problems = compileSnippets(Object.fromEntries(snippets.map(({ file, text }) => [file, text])))
    const wrong = snippets.flatMap(({ title, file }) => (problems[file] ?? []).map((problem) => `${title}: ${problem}`))
    expect(wrong).to.deep.equal([])
  })

  it('runs, and its plugins set up in a stub host', async () => {
    const tried: string[] = []
    for (const { title, file } of snippets.filter(isForNode)) {
      if (file.endsWith('.test.ts')) continue
      const module = (await import(pathToFileURL(path.join(folder, file.replace(/\.ts$/, '.js'))).href)) as { readonly default?: unknown }
      if (!isPlugin(module.default)) continue
      const test = createTestContext(module.default)
      try {
        await test.setup()
        await test.dispose()
        tried.push(title)
      } catch (error) {
        // A service of another plugin has no fake here; its page is checked by types.
        if (!serviceNotGivenError.isInstance(error)) throw new Error(`${title}: ${String(error)}`, { cause: error })
      }
    }
    expect(tried).to.have.length.above(5)
  })

  it('has a dice tool of at most 12 lines', () => {
    const dice = snippets.find(({ file }) => file === path.join('write-a-plugin', 'src/index.ts'))
    expect(dice?.text.trimEnd().split('\n')).to.have.length.below(13)
  })
})
