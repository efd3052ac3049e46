import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, readdir, readFile, realpath, rm, symlink, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { expect } from 'chai'
import { sdkFolder } from '../compile-snippets.test.js'
import { runPluginCommand } from '../plugin-command.js'
import { initPlugin } from './init-plugin.js'
import { kindOf, type PluginKind, pluginKinds, projectFiles } from './project-files.js'

const run = promisify(execFile)
const program = path.join(sdkFolder, 'bin/agent-service-plugin.mjs')
const modules = path.resolve(sdkFolder, '../node_modules')
/** Of one program, so that a test that hangs is ended with its process. */
const limitMs = 150_000
const folderOf = (kind: PluginKind): string => `${kind}-example`

const makeFolder = async (): Promise<string> => realpath(await mkdtemp(path.join(os.tmpdir(), 'plugin-init-')))

/** What a program prints, failed or not. */
const output = (file: string, words: readonly string[], cwd: string): Promise<string> =>
  run(file, words, { cwd, maxBuffer: 16 * 1_024 * 1_024, timeout: limitMs }).then(
    ({ stdout }) => stdout,
    ({ stdout, stderr, message }: { readonly stdout?: string; readonly stderr?: string; readonly message: string }) =>
      [stdout, stderr, message].join('\n'),
  )

/** What `agent-service-plugin` prints, in this process: one of its own for each project takes most of the time. */
async function commandLines(...words: readonly string[]): Promise<readonly string[]> {
  const lines: string[] = []
  const print = (line: string): void => void lines.push(line)
  await runPluginCommand(words, { print, printError: print, environment: {}, signal: new AbortController().signal })
  return lines
}

/**
 * Runs the tests of all projects in one process of `node:test`. Returns for each kind what its tests
 * reported.
 */
async function runSuites(parent: string): Promise<ReadonlyMap<string, string>> {
  const steps = pluginKinds.flatMap((kind) => [
    `it('begins ${kind}', () => {})`,
    `await import('./${folderOf(kind)}/dist/index.test.js').catch((error) => it('is imported', () => { throw error }))`,
  ])
  await writeFile(path.join(parent, 'suites.mjs'), ["import { it } from 'node:test'", ...steps].join('\n'))
  const [, ...parts] = (await output(process.execPath, ['--test-reporter=tap', 'suites.mjs'], parent)).split(/^# Subtest: begins (\S+)$/m)
  return new Map(pluginKinds.map((kind) => [kind, parts[parts.indexOf(kind) + 1] ?? '']))
}

/** The failed tests of a report, each with its error. */
const failuresIn = (report: string): readonly string[] => report.match(/^( *)not ok [\s\S]*?^\1 {2}\.\.\.$/gm) ?? []

describe('the plugins that “agent-service-plugin init” begins', function () {
  this.timeout(2 * limitMs)
  let parent: string
  let compiled: string
  let built: readonly string[]
  let suites: ReadonlyMap<string, string>
  before(async () => {
    parent = await makeFolder()
    for (const scope of ['@agent-service', '@types']) await mkdir(path.join(parent, 'node_modules', scope), { recursive: true })
    await symlink(sdkFolder, path.join(parent, 'node_modules/@agent-service/sdk'))
    await symlink(path.join(modules, '@types/node'), path.join(parent, 'node_modules/@types/node'))
    for (const kind of pluginKinds) await initPlugin(kind, path.join(parent, folderOf(kind)))
    // With the compiler and the options that the projects have.
    compiled = await output(process.execPath, [path.join(modules, 'typescript-7/bin/tsc'), '--build', ...pluginKinds.map(folderOf)], parent)
    built = await commandLines('build', ...pluginKinds.map((kind) => path.join(parent, folderOf(kind))))
  })
  before(async () => {
    suites = await runSuites(parent)
  })
  after(() => rm(parent, { recursive: true, force: true }))

  it('type-check', () => expect(compiled).to.equal(''))

  for (const kind of pluginKinds)
    it(`${kind}: is built, passes its tests and is valid`, async () => {
      const id = folderOf(kind)
      expect(built.join('\n')).to.include(`${id} 0.1.0: wrote ${path.join(parent, id, 'dist/plugin.json')}`)
      const report = suites.get(kind) ?? ''
      expect(failuresIn(report)).to.deep.equal([])
      expect(report, 'no test passed').to.match(/^ *ok \d+ - (?!begins )/m)
      const [setup, verdict] = await commandLines('validate', path.join(parent, id))
      expect(setup).to.equal('Setup ran.')
      expect(verdict).to.match(/valid: /)
    })
})

describe('agent-service-plugin init', () => {
  let parent: string
  beforeEach(async () => {
    parent = await makeFolder()
  })
  afterEach(() => rm(parent, { recursive: true, force: true }))
  const read = async (file: string): Promise<Record<string, unknown>> => JSON.parse(await readFile(path.join(parent, file), 'utf8'))

  it('keeps what a package.json has, and takes the SDK from where it came', async () => {
    const folder = path.join(parent, 'tool-hello')
    await mkdir(folder)
    const before = {
      main: 'index.js',
      author: 'Ada',
      type: 'commonjs',
      scripts: { test: 'exit 1', lint: 'x' },
      dependencies: { '@agent-service/sdk': 'file:../sdk.tgz' },
    }
    await writeFile(path.join(folder, 'package.json'), JSON.stringify(before))
    const { stdout } = await run(process.execPath, [program, 'init', 'tool'], { cwd: folder })
    expect(stdout).to.contain('tool-hello: wrote package.json, src/index.ts')
    const json = await read('tool-hello/package.json')
    expect(json).to.include({ author: 'Ada', type: 'module', name: 'tool-hello' }).and.not.have.any.keys('main', 'dependencies')
    expect(json['scripts']).to.include({ lint: 'x', dev: 'agent-service-plugin dev' })
    expect(json['devDependencies']).to.include({ '@agent-service/sdk': 'file:../sdk.tgz' })
  })

  for (const kind of pluginKinds)
    it(`begins ${kind} by the id of its point too`, () => {
      const [, listed = ''] = /contributes: \[(.*?)\]/.exec(projectFiles(kind, folderOf(kind))['src/index.ts'] ?? '') ?? []
      const points = [...listed.matchAll(/'(.*?)'/g)].map(([, point = '']) => point)
      expect(points.map(kindOf), listed).to.include(kind)
    })

  it('says what is wrong with a call before it says how to call it', async () => {
    const failure = async (...words: readonly string[]): Promise<string> => {
      const { stderr } = await run(process.execPath, [program, ...words], { cwd: parent }).catch(
        (error: { readonly stderr: string }) => error,
      )
      return stderr
    }
    const reasons = {
      init: 'init needs the kind of plugin to create, such as “agent-service-plugin init tool”.',
      biuld: 'Unknown command “biuld”. Known commands: init, build, validate, dev, schema.',
      '': 'A command is missing: init, build, validate, dev, schema.',
      'schema x': 'schema takes no argument “x”.',
      'validate x y': 'validate takes no argument “y”.',
      'init tool x y': 'init takes no argument “y”.',
      'build --port 1':
        'build does not take one of these options; --only is for build and takes manifest, screens or web-tests, --config is for validate, --service and --port are for dev.',
      'build --only web': 'build does not take one of these options; --only is for build and takes manifest, screens or web-tests,',
    }
    for (const [call, reason] of Object.entries(reasons))
      expect(await failure(...call.split(' ').filter(Boolean)), call)
        .to.match(/^.+\n\nUsage: /)
        .and.contain(reason)
    expect(await failure('validate', '--wrong')).to.match(/^Unknown option '--wrong'[\s\S]*\n\nUsage: /)
    for (const command of ['build', 'validate'])
      expect(await failure(command), command).to.match(/^the working directory: package\.json cannot be read/)
  })

  it('writes nothing if a file exists, the name is not an id, or the kind is unknown', async () => {
    const failure = (kind: string, name: string) => initPlugin(kind, path.join(parent, name)).catch((error: Error) => error.message)
    expect(await failure('tol', 'tool-x')).to.contain('did you mean “tool”?')
    expect(await failure('something', 'tool-x')).to.contain('unknown kind “something”. Known kinds: tool,')
    expect(await failure('tool', 'My Tool')).to.contain('is not a valid id. Name it like “tool-example”')
    expect(await failure('memory-backend', 'memory')).to.match(
      /“memory” belongs to the built-in plugin .* name the folder like “memory-backend-example”/,
    )
    await mkdir(path.join(parent, 'tool-x'))
    await writeFile(path.join(parent, 'tool-x/README.md'), 'mine')
    expect(await failure('tool', 'tool-x')).to.contain('README.md already exists')
    expect(await readdir(path.join(parent, 'tool-x'))).to.deep.equal(['README.md'])
  })
})
