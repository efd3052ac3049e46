import { existsSync } from 'node:fs'
import { readFile, rm, stat } from 'node:fs/promises'
import path from 'node:path'
import { expect } from 'chai'
import { createRepositoryTree, type RepositoryTree } from './repository-tree.js'
import type { ProgramResult } from './running-program.js'

const build = 'kernel/scripts/build.mjs'
const npmStub = 'node_modules/.stub/npm-cli.cjs'

/**
 * Stands for npm: counts its calls, then does what `ending` says; a good end leaves the list that
 * npm leaves.
 */
const npmThat = (ending: string): string => `
const { appendFileSync, copyFileSync } = require('node:fs')
appendFileSync('node_modules/.stub/calls', process.argv.slice(2).join(' ') + '\\n')
const install = () => copyFileSync('package-lock.json', 'node_modules/.package-lock.json')
${ending}
`

describe('the bootstrap', () => {
  let tree: RepositoryTree

  beforeEach(async () => {
    tree = await createRepositoryTree()
  })

  afterEach(() => tree.remove())

  const useNpmThat = async (ending: string): Promise<Readonly<Record<string, string>>> => {
    await rm(path.join(tree.root, 'node_modules/.package-lock.json'))
    await tree.write(npmStub, npmThat(ending))
    return { npm_execpath: path.join(tree.root, npmStub) }
  }
  const usePluginBuilderThat = async (work: string): Promise<void> => {
    const prelude =
      "import { writeFileSync } from 'node:fs'\n\nconst [action, ...words] = process.argv.slice(2)\nconst folder = words.at(-1)\n"
    await tree.write('sdk/bin/agent-service-plugin.mjs', `${prelude}${work}\n`)
    await extendManifest('plugins/one', { agentService: { plugin: './dist/plugin.json' } })
    await extendManifest('sdk', { exports: { './manifest.schema.json': './dist/manifest.schema.json' } })
  }
  const extendManifest = async (folder: string, fields: Readonly<Record<string, unknown>>): Promise<void> => {
    const file = `${folder}/package.json`
    const manifest: Record<string, unknown> = JSON.parse(await readFile(path.join(tree.root, file), 'utf8'))
    await tree.write(file, JSON.stringify({ ...manifest, ...fields }))
  }
  const npmCalls = async (): Promise<readonly string[]> =>
    (await readFile(path.join(tree.root, 'node_modules/.stub/calls'), 'utf8')).trim().split('\n')
  const stampNames = (): readonly string[] =>
    ['install', 'build'].filter((name) => existsSync(path.join(tree.root, 'node_modules/.cache/agent-service', `${name}.stamp`)))
  const isLocked = (): boolean => existsSync(path.join(tree.root, '.cache/bootstrap.lock'))

  it('installs, builds, and does nothing the second time', async () => {
    const environment = await useNpmThat('install()')
    const first = await tree.node([build], environment)
    expect(first.output).to.match(/✓ Installing packages \(.*\)\n✓ Compiling \(.*\)\n✓ Writing plugin manifests/)
    expect(first.code).to.equal(0)
    const second = await tree.node([build], environment)
    expect(second).to.deep.equal({ code: 0, output: 'Built.\n' })
    expect(await npmCalls()).to.have.lengthOf(1)
    expect((await npmCalls())[0]).to.match(/^ci .*--include=dev --ignore-scripts=false/)
    expect(isLocked()).to.equal(false)
  })

  it('accepts packages that were installed by hand', async () => {
    const result = await tree.node([build], { npm_execpath: '/nowhere/npm-cli.js' })
    expect(result.output).to.not.include('Installing')
    expect(result.code).to.equal(0)
  })

  const startScope = ['--input-type=module', '--eval', "await (await import('./kernel/scripts/bootstrap.mjs')).bootstrap({ scope: 'run' })"]

  it('installs and builds for a start only what runs, and all of it once that is asked for', async () => {
    const environment = await useNpmThat("if (!process.argv.includes('--workspace=sdk')) install()")
    await tree.writeAll({
      'plugins/one/src/one.test.ts': "export const test = 'one'\n",
      'plugins/one/src/test-support/bench.ts': "export const bench = 'one'\n",
      'plugins/one/src/parts/part.ts': "export const part = 'one'\n",
    })
    const compiled = (...files: readonly string[]) => files.filter((file) => existsSync(path.join(tree.root, file)))
    const run = ['sdk/dist/index.js', 'plugins/one/dist/index.js', 'plugins/one/dist/parts/part.js']
    const rest = ['plugins/one/dist/one.test.js', 'plugins/one/dist/test-support/bench.js', 'examples/three/dist/index.js']
    const first = await tree.node(startScope, environment)
    expect(first.output).to.match(/✓ Installing packages \(.*\)\n✓ Compiling \(/)
    expect(compiled(...run, ...rest)).to.deep.equal(run)
    expect(await tree.node(startScope, environment)).to.deep.equal({ code: 0, output: '' })
    await tree.write('plugins/one/src/one.test.ts', "export const test: number = 'one'\n")
    expect(await tree.node(startScope, environment), 'a test is no part of it').to.deep.equal({ code: 0, output: '' })
    await tree.write('plugins/one/src/one.test.ts', "export const test = 'two'\n")
    expect((await tree.node([build], environment)).output).to.match(/✓ Installing packages/)
    expect(compiled(...run, ...rest)).to.deep.equal([...run, ...rest])
    expect(await tree.node(startScope, environment), 'the whole serves too').to.deep.equal({ code: 0, output: '' })
    const [partly, whole, ...more] = await npmCalls()
    expect(partly).to.match(/ --workspace=sdk --workspace=kernel\/cli --workspace=plugins\/one --workspace=plugins\/two$/)
    expect([whole?.includes('--workspace'), more]).to.deep.equal([false, []])
  })

  it('builds all where all is installed, also for a start', async () => {
    expect((await tree.node(startScope)).code).to.equal(0)
    expect(existsSync(path.join(tree.root, 'examples/three/dist/index.js'))).to.equal(true)
  })

  it('names a native package that does not load, and the command that builds it', async () => {
    await rm(path.join(tree.root, 'node_modules/argon2'))
    await tree.write('node_modules/argon2/index.js', "throw new Error('No native build was found')\n")
    const result = await tree.node([build])
    expect(result.output).to.match(/✗ native packages do not load: argon2\nargon2:\n[\s\S]*No native build was found/)
    expect(result.output).to.match(/→ .*Then run: npm rebuild --foreground-scripts argon2\n$/)
    expect(result.code).to.equal(1)
    expect(stampNames()).to.deep.equal([])
  })

  it('only reports an optional native package that does not load', async () => {
    const lock = JSON.parse(await readFile(path.join(tree.root, 'package-lock.json'), 'utf8'))
    lock.packages['node_modules/node-pty'] = { version: '1.0.0', optional: true }
    await tree.write('package-lock.json', JSON.stringify(lock))
    await rm(path.join(tree.root, 'node_modules/node-pty'), { recursive: true, force: true })
    const result = await tree.node([build])
    expect(result.output).to.match(/node-pty does not load, so there are no terminals in the sandbox\. .*Then run: npm rebuild node-pty\n/)
    expect([result.code, stampNames()]).to.deep.equal([0, ['install', 'build']])
  })

  it('reports a missing SQLite for this Node, although it is optional for npm', async () => {
    const name = Number(process.versions['napi']) >= 10 ? 'better-sqlite3-node-api' : 'better-sqlite3'
    await rm(path.join(tree.root, 'node_modules', name), { force: true })
    const lock = JSON.parse(await readFile(path.join(tree.root, 'package-lock.json'), 'utf8'))
    lock.packages[`node_modules/${name}`] = { version: '1.0.0', optional: true }
    await tree.write('package-lock.json', JSON.stringify(lock))
    const result = await tree.node([build])
    expect(result.output).to.include(`✗ native packages do not load: ${name}\n`)
    expect(result.code).to.equal(1)
    expect(stampNames()).to.deep.equal([])
  })

  it('installs again after the lock file has changed', async () => {
    await tree.node([build])
    const lock = await readFile(path.join(tree.root, 'package-lock.json'), 'utf8')
    const changed = lock.replace(
      '"node_modules/typebox": {\n      "version": "1.4.3"',
      '"node_modules/typebox": {\n      "version": "1.4.4"',
    )
    expect(changed).to.not.equal(lock)
    await tree.write('package-lock.json', changed)
    await tree.write(npmStub, npmThat('install()'))
    const result = await tree.node([build], { npm_execpath: path.join(tree.root, npmStub) })
    expect(result.output).to.include('✓ Installing packages')
  })

  it('compiles changed files again, and removes the results of deleted sources', async () => {
    await tree.write('plugins/one/src/extra.ts', 'export const extra = 1\n')
    await tree.node([build])
    const compiled = path.join(tree.root, 'plugins/one/dist/extra.js')
    await stat(compiled)
    await rm(path.join(tree.root, 'plugins/one/src/extra.ts'))
    const result = await tree.node([build])
    expect(result.output).to.include('✓ Compiling')
    expect(existsSync(compiled)).to.equal(false)
    expect(existsSync(path.join(tree.root, 'plugins/one/dist/index.js'))).to.equal(true)
  })

  it('builds again when a result is missing', async () => {
    await tree.node([build])
    await rm(path.join(tree.root, 'plugins/one/dist'), { recursive: true })
    expect((await tree.node([build])).output).to.include('✓ Compiling')
    expect(existsSync(path.join(tree.root, 'plugins/one/dist/index.js'))).to.equal(true)
  })

  it('shows a full compile error and retries the next time', async () => {
    await tree.write('plugins/one/src/index.ts', "export const count: number = 'one'\n")
    for (const attempt of [1, 2]) {
      const result = await tree.node([build])
      expect(result.output, `attempt ${attempt}`).to.match(
        /✗ Compiling failed.*\n✗ the code does not compile\nplugins\/one\/src\/index\.ts.*TS2322/,
      )
      expect(result.code).to.equal(1)
    }
    expect(stampNames()).to.deep.equal(['install'])
  })

  for (const [what, printed, advice] of [
    ['the registry cannot be reached', 'npm error code ENOTFOUND', /npm cannot reach its registry/],
    [
      'the lock file does not fit',
      'npm error `npm ci` can only install packages when they are in sync',
      /package-lock\.json does not match/,
    ],
    ['a native build fails', 'npm error gyp ERR! stack Error: not found: make', /native package/],
    ['the disk is full', 'npm error code ENOSPC', /disk is full/],
  ] as const) {
    it(`gives advice when ${what}`, async () => {
      const environment = await useNpmThat(`console.error(${JSON.stringify(printed)}); process.exitCode = 1`)
      const result = await tree.node([build], environment)
      expect(result.output).to.include(printed)
      expect(result.output).to.match(advice)
      expect(result.code).to.equal(1)
      expect(stampNames()).to.deep.equal([])
    })
  }

  it('names the build tools that are missing', async () => {
    const environment = await useNpmThat("console.error('gyp ERR! build error'); process.exitCode = 1")
    const result = await tree.node([build], { ...environment, PATH: path.join(tree.root, 'empty') })
    expect(result.output).to.match(
      /lacks a C\+\+ compiler \(c\+\+\), make, Python 3 \(python3\) \(on Debian or Ubuntu: apt-get install build-essential python3\)/,
    )
  })

  it('keeps nothing of an interrupted stage, and releases the lock', async () => {
    const environment = await useNpmThat(
      "process.stdout.write('busy'); setInterval(() => undefined, 1000); require('node:fs').writeFileSync('node_modules/.stub/busy', '')",
    )
    const program = tree.start(['--import', waitingFor(tree), build], environment)
    await program.printed(/npm is busy/)
    program.signal('SIGTERM')
    const result = await program.ended
    expect(result.output).to.include('interrupted (SIGTERM)')
    expect(result.code).to.equal(143)
    expect(stampNames()).to.deep.equal([])
    expect(isLocked()).to.equal(false)
  })

  it('runs two parallel calls one after the other', async () => {
    const environment = await useNpmThat('setTimeout(install, 500)')
    const results: readonly ProgramResult[] = await Promise.all([tree.node([build], environment), tree.node([build], environment)])
    expect(results.map(({ code }) => code)).to.deep.equal([0, 0])
    expect(results.some(({ output }) => output.includes('Waiting for another bootstrap'))).to.equal(true)
    expect(await npmCalls()).to.have.lengthOf(1)
  })

  it('takes over the lock of a process that has ended', async () => {
    const gone = await tree.node(['--eval', 'process.stdout.write(String(process.pid))'])
    await tree.write('.cache/bootstrap.lock/owner.json', JSON.stringify({ pid: Number(gone.output), token: 'gone' }))
    expect((await tree.node([build])).code).to.equal(0)
    expect(isLocked()).to.equal(false)
  })

  it('writes plugin.json for every plugin, and the schema of it', async () => {
    await usePluginBuilderThat("if (action === 'schema') console.log('{}')\nelse writeFileSync(folder + '/dist/plugin.json', '{}')")
    expect((await tree.node([build])).output).to.match(/✓ Writing plugin manifests.*\nBuilt\.\n$/)
    expect(await readFile(path.join(tree.root, 'plugins/one/dist/plugin.json'), 'utf8')).to.equal('{}')
    expect(await readFile(path.join(tree.root, 'sdk/dist/manifest.schema.json'), 'utf8')).to.equal('{}\n')
    await rm(path.join(tree.root, 'plugins/one/dist/plugin.json'))
    expect((await tree.node([build])).output).to.include('✓ Writing plugin manifests')
    expect((await tree.node([build])).output).to.equal('Built.\n')
  })

  it('builds what a plugin has in other languages, again when it has changed, and passes on what it says', async () => {
    await usePluginBuilderThat("if (action === 'build') writeFileSync(folder + '/dist/plugin.json', '{}')\nelse console.log('{}')")
    const file = path.join(tree.root, 'plugins/one/package.json')
    const manifest = JSON.parse(await readFile(file, 'utf8'))
    await tree.write('plugins/one/native.mjs', "console.log('there is no compiler')\n")
    await tree.write('plugins/one/helper/one.c', 'int main(void) { return 0; }\n')
    await tree.write(
      'plugins/one/package.json',
      JSON.stringify({ ...manifest, agentService: { ...manifest.agentService, native: './native.mjs' } }),
    )
    expect((await tree.node([build])).output).to.match(/there is no compiler\n[\s\S]*Built\.\n$/)
    expect((await tree.node([build])).output).to.equal('Built.\n')
    await tree.write('plugins/one/helper/one.c', 'int main(void) { return 1; }\n')
    expect((await tree.node([build])).output).to.include('there is no compiler')
    await tree.write('plugins/one/native.mjs', "throw new Error('it is broken')\n")
    await tree.write('plugins/one/helper/one.c', 'int main(void) { return 2; }\n')
    const result = await tree.node([build])
    expect(result.output).to.match(/✗ plugins\/one could not be built\n[\s\S]*it is broken/)
    expect(result.code).to.equal(1)
  })

  it('says why a plugin.json could not be written', async () => {
    await usePluginBuilderThat("if (action === 'build') throw new Error('manifest and code disagree')")
    const result = await tree.node([build])
    expect(result.output).to.match(/✗ plugin manifests could not be written\n[\s\S]*manifest and code disagree/)
    expect(result.code).to.equal(1)
    expect(stampNames()).to.deep.equal(['install'])
  })

  it('names the required Node version', async () => {
    const code = "import('./kernel/scripts/lib/prerequisites.mjs').then((module) => console.log(module.nodeProblem(process.argv[1])))"
    const answers = await Promise.all(['18.20.4', '20.18.9', '20.19.0', '22.1.0'].map((version) => tree.node(['--eval', code, version])))
    expect(answers.map(({ output }) => output.trim())).to.deep.equal([
      'Node 20.19.0 or newer is required; this is Node 18.20.4',
      'Node 20.19.0 or newer is required; this is Node 20.18.9',
      'undefined',
      'undefined',
    ])
  })
})

/** A module that says on the program's output when the stub for npm has started. */
function waitingFor(tree: RepositoryTree): string {
  const file = JSON.stringify(path.join(tree.root, 'node_modules/.stub/busy'))
  const code = `
    import { existsSync } from 'node:fs'
    const timer = setInterval(() => {
      if (!existsSync(${file})) return
      clearInterval(timer)
      process.stdout.write('npm is busy')
    }, 20)
    timer.unref()`
  return `data:text/javascript,${encodeURIComponent(code)}`
}
