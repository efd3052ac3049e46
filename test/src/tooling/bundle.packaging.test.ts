import { existsSync } from 'node:fs'
import { cp, mkdtemp, readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { expect } from 'chai'
import { createRepositoryTree, type RepositoryTree, repositoryRoot } from './repository-tree.js'
import { startNode } from './running-program.js'

/** The tree is compiled without the declarations of the language. */
const importMeta = 'declare global { interface ImportMeta { readonly url: string; readonly dirname: string } }\n'
const program = path.join(repositoryRoot, 'kernel/cli/bin/agent-service.mjs')
const finder = 'kernel/cli/bin/bundle.mjs'

interface BundleFinder {
  findBundle(root: string): { readonly main: string } | { readonly reason: string }
}

describe('the bundle', () => {
  let tree: RepositoryTree

  beforeEach(async () => {
    tree = await createRepositoryTree()
    const manifest = JSON.parse(await readFile(path.join(tree.root, 'plugins/one/package.json'), 'utf8')) as object
    await tree.writeAll({
      'kernel/cli/src/main.ts': `${importMeta}export const place = import.meta.url\nexport const main = () => 'from the bundle'\n`,
      'plugins/one/package.json': JSON.stringify({ ...manifest, agentService: { plugin: './dist/plugin.json' } }),
      'plugins/one/src/rules.ts': 'export const rules = []\n',
      'sdk/bin/agent-service-plugin.mjs': `import { writeFileSync } from 'node:fs'
const manifest = { entry: './index.js', rules: './rules.js' }
writeFileSync(\`\${process.argv.at(-1)}/dist/plugin.json\`, JSON.stringify(manifest))
`,
    })
  })

  afterEach(() => tree.remove())

  const build = async (): Promise<string> => (await tree.node(['kernel/scripts/build.mjs'])).output
  /** What is found, `main` imported. */
  const find = async (): Promise<{ readonly main: string; readonly place: string; readonly entries: readonly string[] } | undefined> => {
    const code = `import { findBundle } from './kernel/cli/bin/bundle.mjs'
const bundle = findBundle(process.cwd())
const { main, place } = bundle.main ? await import(bundle.main) : {}
process.stdout.write(JSON.stringify(bundle.main ? { main: main(), place, entries: [...bundle.entries].flat() } : null))`
    const { output } = await tree.node(['--input-type=module', '--eval', code])
    return JSON.parse(output) ?? undefined
  }

  it("has the program and the plugins' entry points, and knows where each module was", async () => {
    expect(await build()).to.match(/✓ Bundling \(.*\)\nBuilt\.\n$/)
    const found = await find()
    expect(found?.main).to.equal('from the bundle')
    expect(fileURLToPath(found?.place ?? '')).to.equal(path.join(tree.root, 'kernel/cli/dist/main.js'))
    const folder = `kernel/cli/dist/bundle/${path.basename(path.dirname(found?.entries[1] ?? ''))}`
    const inTree = (file: string): string => path.join(tree.root, file)
    expect(found?.entries).to.deep.equal(
      [
        ['plugins/one/dist/index.js', `${folder}/one.js`],
        ['plugins/one/dist/rules.js', `${folder}/one-rules.js`],
      ]
        .flat()
        .map(inTree),
    )
    expect(await import(pathToFileURL(inTree(`${folder}/one.js`)).href)).to.have.property('place', 'plugins/one')
  })

  /** What a tree with an installed package is made from. */
  const sources = [
    'plugins/one/dist/.tsbuildinfo',
    'plugins/one/dist/plugin.json',
    'sdk/dist/.tsbuildinfo',
    'node_modules/uuid/package.json',
  ]
  const writePackage = async (): Promise<void> => {
    await rm(path.join(tree.root, 'node_modules/uuid'), { recursive: true })
    await tree.writeAll({
      'node_modules/uuid/package.json': '{ "name": "uuid", "type": "module", "exports": "./index.js" }',
      'node_modules/uuid/index.d.ts': 'export declare const v7: () => number\n',
      'node_modules/uuid/index.js': 'export const v7 = () => 1\n',
      'plugins/one/src/index.ts': "import { v7 } from 'uuid'\nexport const place = v7()\n",
    })
  }
  const loadFinder = async (root: string): Promise<() => ReturnType<BundleFinder['findBundle']>> => {
    const { findBundle } = (await import(pathToFileURL(path.join(root, finder)).href)) as BundleFinder
    return () => findBundle(root)
  }

  it('is not used once a file that it was made from has other contents or was removed, and the reason names the file', async () => {
    await writePackage()
    await build()
    const find = await loadFinder(tree.root)
    for (const name of sources) {
      const file = path.join(tree.root, name)
      const content = await readFile(file, 'utf8')
      const isOther = { reason: `the bundle was not made from ${name} as it is now` }
      expect(find(), `before ${name} was rewritten`).to.have.property('main')
      await writeFile(file, `${content}\n`)
      expect(find(), `${name} became longer`).to.deep.equal(isOther)
      await writeFile(file, content.replace('e', 'E'))
      expect(find(), `${name} was rewritten with as many bytes`).to.deep.equal(isOther)
      await rm(file)
      expect(find(), `${name} was removed`).to.deep.equal(isOther)
      await writeFile(file, content)
    }
    for (const name of sources) await rm(path.join(tree.root, name))
    await tree.writeAll({ 'node_modules/uuid/package.json': '{ "name": "uuid", "type": "module", "exports": "./index.js" }' })
    expect(await build()).to.include('✓ Bundling')
    expect(find()).to.have.property('main')
  })

  it('is used in a copy too, whose files have other times or no fractions of seconds, until one of them is changed', async () => {
    await writePackage()
    await build()
    const copy = await mkdtemp(path.join(os.tmpdir(), 'agent-service-copy-'))
    try {
      await cp(tree.root, copy, { recursive: true, verbatimSymlinks: true })
      const find = await loadFinder(copy)
      const setTimes = async (secondsAt: (file: string) => Promise<number>): Promise<void> => {
        for (const name of sources) {
          const seconds = await secondsAt(name)
          await utimes(path.join(copy, name), seconds, seconds)
        }
      }
      await setTimes(async () => 1_000_000_000)
      expect(find(), 'all of one time').to.have.property('main').that.includes(pathToFileURL(copy).href)
      await setTimes(async (name) => Math.floor((await stat(path.join(tree.root, name))).mtimeMs / 1_000))
      expect(find(), 'whole seconds, as in an archive').to.have.property('main')
      await tree.write('plugins/one/src/index.ts', "import { v7 } from 'uuid'\nexport const place = v7() + v7()\n")
      await build()
      await cp(path.join(tree.root, 'plugins/one/dist'), path.join(copy, 'plugins/one/dist'), { recursive: true })
      expect(find(), 'compiled again').to.deep.equal({
        reason: 'the bundle was not made from plugins/one/dist/.tsbuildinfo as it is now',
      })
    } finally {
      await rm(copy, { recursive: true, force: true })
    }
  })

  it('stays for running processes when another is made, until the one after that', async () => {
    const folders = async (): Promise<readonly string[]> =>
      (await readdir(path.join(tree.root, 'kernel/cli/dist/bundle'))).filter((name) => name !== 'index.json').sort()
    await build()
    const first = (await find())?.entries[1] ?? ''
    const seen: string[][] = [[...(await folders())]]
    for (const turn of [1, 2]) {
      await tree.write('plugins/one/src/extra.ts', `export const turn = ${turn}\n`)
      expect(await build()).to.include('✓ Bundling')
      expect((await find())?.entries[1]).to.not.equal(first)
      expect(existsSync(first)).to.equal(turn === 1)
      seen.push([...(await folders())])
    }
    expect(seen.map(({ length }) => length)).to.deep.equal([1, 2, 2])
  })

  it('is not used without its files or its index, and made again', async () => {
    await build()
    await rm(path.dirname((await find())?.entries[1] ?? ''), { recursive: true })
    expect(await find()).to.equal(undefined)
    expect(await build()).to.include('✓ Bundling')
    await rm(path.join(tree.root, 'kernel/cli/dist/bundle/index.json'))
    expect(await find()).to.equal(undefined)
    expect(await build()).to.include('✓ Bundling')
    await tree.write('kernel/cli/dist/bundle/index.json', '{"madeFrom"')
    expect(await find()).to.equal(undefined)
    expect(await build()).to.include('✓ Bundling')
    expect(await build()).to.equal('Built.\n')
  })

  it('is not made if a module would behave differently in it, and names the module', async () => {
    await tree.write('plugins/one/src/rules.ts', `${importMeta}export const rules = [import.meta.dirname]\n`)
    const output = await build()
    expect(output).to.match(
      /✗ the compiled code could not be bundled[\s\S]*plugins\/one\/dist\/rules\.js uses more of import\.meta than its url/,
    )
    expect(existsSync(path.join(tree.root, 'kernel/cli/dist/bundle/index.json'))).to.equal(false)
  })
})

describe('a service that is started', () => {
  it('runs from the bundle, its plugins too, and loads what they share in few files', async () => {
    const folder = await mkdtemp(path.join(os.tmpdir(), 'agent-service-bundle-'))
    try {
      const { ended } = startNode(folder, [program, 'doctor'], { NODE_V8_COVERAGE: path.join(folder, 'coverage') })
      expect((await ended).code).to.equal(0)
      const loaded = new Set<string>()
      for (const file of await readdir(path.join(folder, 'coverage'))) {
        const { result } = JSON.parse(await readFile(path.join(folder, 'coverage', file), 'utf8')) as { result: { url: string }[] }
        for (const { url } of result) if (url.startsWith('file:')) loaded.add(path.relative(repositoryRoot, fileURLToPath(url)))
      }
      const own = [...loaded].filter((file) => /^(sdk|kernel|plugins)\/(?!.*node_modules\/)/.test(file))
      expect(own.some((file) => /^kernel\/cli\/dist\/bundle\/\d+\/feature-agents\.js$/.test(file))).to.equal(true)
      const index = JSON.parse(await readFile(path.join(repositoryRoot, 'kernel/cli/dist/bundle/index.json'), 'utf8')) as {
        readonly entries: Readonly<Record<string, string>>
      }
      const ofPlugins = new Set(Object.values(index.entries))
      const shared = own.filter((file) => file.startsWith('kernel/cli/dist/bundle/') && !ofPlugins.has(path.basename(file)))
      expect(shared.length, shared.join('\n')).to.be.within(3, 15)
      const apart = own.filter((file) => !file.startsWith('kernel/cli/dist/bundle/'))
      expect(apart.filter((file) => !/^kernel\/cli\/bin\/|-thread\.js$/.test(file))).to.deep.equal([])
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  })
})
