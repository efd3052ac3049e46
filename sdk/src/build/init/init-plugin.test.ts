import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, readdir, readFile, realpath, rm, symlink, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { expect } from 'chai'
import ts from 'typescript'
import { compileSnippets, sdkFolder } from '../compile-snippets.test.js'
import { initPlugin } from './init-plugin.js'
import { pluginKinds, projectFiles } from './project-files.js'

const run = promisify(execFile)
const program = path.join(sdkFolder, 'bin/agent-service-plugin.mjs')

/** The modules of a project, by their names. */
const sourcesIn = (files: Readonly<Record<string, string>>): readonly (readonly [string, string])[] =>
  Object.entries(files).flatMap(([file, text]) => (file.startsWith('src/') ? [[file.slice('src/'.length), text] as const] : []))

describe('agent-service-plugin init', function () {
  this.timeout(120_000)
  let parent: string
  beforeEach(async () => {
    parent = await realpath(await mkdtemp(path.join(os.tmpdir(), 'plugin-init-')))
  })
  afterEach(() => rm(parent, { recursive: true, force: true }))
  const read = async (file: string): Promise<Record<string, unknown>> => JSON.parse(await readFile(path.join(parent, file), 'utf8'))

  it('writes modules that type-check, for every kind', () => {
    const modules = pluginKinds.flatMap((kind) => {
      const sources = sourcesIn(projectFiles(kind, `${kind}-example`))
      return sources.map(([name, text]) => [`${kind}/${name}`, text] as const)
    })
    const problems = compileSnippets(Object.fromEntries(modules))
    expect(Object.entries(problems).filter(([, found]) => found.length > 0)).to.deep.equal([])
  })

  for (const kind of pluginKinds) {
    it(`begins a ${kind} that builds, passes its test and is valid`, async () => {
      const folder = path.join(parent, `${kind}-example`)
      await initPlugin(kind, folder)
      await mkdir(path.join(folder, 'dist'))
      for (const [name] of sourcesIn(projectFiles(kind, `${kind}-example`))) {
        const source = await readFile(path.join(folder, 'src', name), 'utf8')
        const { outputText } = ts.transpileModule(source, {
          compilerOptions: { module: ts.ModuleKind.ESNext, target: ts.ScriptTarget.ES2023 },
        })
        await writeFile(path.join(folder, 'dist', name.replace(/\.ts$/, '.js')), outputText)
      }
      await mkdir(path.join(folder, 'node_modules/@agent-service'), { recursive: true })
      await symlink(sdkFolder, path.join(folder, 'node_modules/@agent-service/sdk'))
      await run(process.execPath, [program, 'build'], { cwd: folder })
      const { stdout } = await run(process.execPath, ['--test', 'dist/index.test.js'], { cwd: folder })
      expect(stdout)
        .to.match(/fail 0\b/)
        .and.match(/pass [1-9]/)
      const validated = await run(process.execPath, [program, 'validate'], { cwd: folder })
      expect(validated.stdout).to.match(/^Setup ran\.\n.*valid/)
    })
  }

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

  it('writes nothing if a file exists, the name is not an id, or the kind is unknown', async () => {
    const failure = (kind: string, name: string) => initPlugin(kind, path.join(parent, name)).catch((error: Error) => error.message)
    expect(await failure('tol', 'tool-x')).to.contain('did you mean “tool”?')
    expect(await failure('tool', 'My Tool')).to.contain('is not a valid id. Name it like “tool-example”')
    await mkdir(path.join(parent, 'tool-x'))
    await writeFile(path.join(parent, 'tool-x/README.md'), 'mine')
    expect(await failure('tool', 'tool-x')).to.contain('README.md already exists')
    expect(await readdir(path.join(parent, 'tool-x'))).to.deep.equal(['README.md'])
  })
})
