import { cp, mkdir, mkdtemp, readdir, rm, symlink, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { type ProgramResult, type RunningProgram, startNode } from './running-program.js'

/** The repository that this test belongs to. */
export const repositoryRoot = path.resolve(fileURLToPath(new URL('../../../', import.meta.url)))

/**
 * A small repository in a temporary folder, with copies of the real scripts and rules and the tools
 * of the real one.
 */
export interface RepositoryTree {
  readonly root: string
  /** Writes a file, its folders included; the path is relative to the root. */
  write(file: string, content: string): Promise<void>
  /** Writes several files, by path. */
  writeAll(files: Readonly<Record<string, string>>): Promise<void>
  /** Runs Node in the root to its end, without standard input. */
  node(args: readonly string[], environment?: Readonly<Record<string, string>>): Promise<ProgramResult>
  /** Starts Node in the root, as `node` does, to talk with it by signals. */
  start(args: readonly string[], environment?: Readonly<Record<string, string>>): RunningProgram
  /** Runs the named checks on the tree, with the scripts of the real repository. */
  check(...names: readonly string[]): Promise<ProgramResult>
  remove(): Promise<void>
}

const plainManifest = { version: '1.0.0', type: 'module', license: 'Apache-2.0' }

const tsconfig = {
  files: [],
  references: [{ path: 'sdk' }, { path: 'kernel/cli' }, { path: 'plugins/one' }, { path: 'plugins/two' }, { path: 'examples/three' }],
  compilerOptions: {
    target: 'es2023',
    module: 'nodenext',
    strict: true,
    composite: true,
    sourceMap: true,
    noUnusedLocals: true,
    skipLibCheck: true,
    noLib: true,
    typeRoots: ['node_modules/@tree'],
    types: ['language'],
  },
}

/**
 * What the sources of the tree need of the language and of the test runner. The real declarations
 * have a hundred thousand lines, and every package of the tree would read them each time it is
 * compiled.
 */
const language = `
interface Array<Item> { readonly length: number; readonly [index: number]: Item }
interface ReadonlyArray<Item> { readonly length: number; readonly [index: number]: Item }
interface Boolean {}
interface Number {}
interface String {}
interface Object {}
interface Function {}
interface CallableFunction {}
interface NewableFunction {}
interface IArguments {}
interface RegExp {}
interface Error { readonly message: string }
declare const Error: new (message: string) => Error
type ClassDecorator = (target: unknown) => void
declare const describe: (title: string, define: () => void) => void
declare const it: { (title: string, test: () => void): void; readonly only: (title: string, test: () => void) => void }
`

/** Where packages stand in the tree, and what each may import. */
const packages: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  sdk: {
    name: '@agent-service/sdk',
    exports: { '.': { types: './dist/index.d.ts', default: './dist/index.js' } },
    dependencies: { typebox: '1.4.3' },
  },
  'kernel/cli': {
    name: '@agent-service/kernel',
    exports: { '.': './dist/index.js', './testing': './dist/testing/index.js' },
    dependencies: { '@agent-service/sdk': '1.0.0' },
  },
  'plugins/one': { name: '@agent-service/one', exports: { '.': './dist/index.js' }, peerDependencies: { '@agent-service/sdk': '1.0.0' } },
  'plugins/two': {
    name: '@agent-service/two',
    exports: { '.': './dist/index.js' },
    peerDependencies: { '@agent-service/sdk': '1.0.0' },
    devDependencies: { yaml: '2.9.1' },
  },
  'examples/three': {
    name: '@agent-service/three',
    exports: { '.': './dist/index.js' },
    peerDependencies: { '@agent-service/sdk': '1.0.0' },
  },
}

/** Makes a tree in which every check passes and nothing is built yet. */
export async function createRepositoryTree(): Promise<RepositoryTree> {
  const root = await mkdtemp(path.join(os.tmpdir(), 'agent-service-tooling-'))
  const write = async (file: string, content: string): Promise<void> => {
    await mkdir(path.dirname(path.join(root, file)), { recursive: true })
    await writeFile(path.join(root, file), content)
  }
  const start = (args: readonly string[], environment: Readonly<Record<string, string>> = {}): RunningProgram =>
    startNode(root, args, environment)
  const node = (args: readonly string[], environment?: Readonly<Record<string, string>>): Promise<ProgramResult> =>
    start(args, environment).ended
  await copyTools(root)
  await writePackages(write)
  await linkModules(root)
  return {
    root,
    write,
    writeAll: async (files) => {
      for (const [file, content] of Object.entries(files)) await write(file, content)
    },
    node,
    start,
    check: (...names) => node([path.join(repositoryRoot, 'kernel/scripts/check.mjs'), `--root=${root}`, ...names]),
    remove: () => rm(root, { recursive: true, force: true, maxRetries: 3 }),
  }
}

async function copyTools(root: string): Promise<void> {
  await cp(path.join(repositoryRoot, 'kernel/scripts'), path.join(root, 'kernel/scripts'), { recursive: true })
  await cp(path.join(repositoryRoot, 'sdk/scripts'), path.join(root, 'sdk/scripts'), { recursive: true })
  await cp(path.join(repositoryRoot, 'kernel/cli/bin/bundle.mjs'), path.join(root, 'kernel/cli/bin/bundle.mjs'))
  for (const file of ['.biome.json', '.dependency-cruiser.cjs']) await cp(path.join(repositoryRoot, file), path.join(root, file))
}

async function writePackages(write: (file: string, content: string) => Promise<void>): Promise<void> {
  const workspaces = ['sdk', 'kernel/*', 'plugins/*', 'examples/*']
  const devDependencies = { typescript: '5.9.3', compiler: 'npm:typescript@7.0.2' }
  const rootManifest = { name: 'tree', ...plainManifest, private: true, workspaces, devDependencies }
  const locked: Record<string, unknown> = {
    '': rootManifest,
    'node_modules/typebox': { version: '1.4.3' },
    'node_modules/compiler': { name: 'typescript', version: '7.0.2' },
    'node_modules/typescript': { version: '5.9.3' },
    'node_modules/yaml': { version: '2.9.1' },
  }
  for (const [folder, fields] of Object.entries(packages)) {
    const manifest = { ...plainManifest, ...fields }
    locked[folder] = manifest
    locked[`node_modules/${String(fields['name'])}`] = { resolved: folder, link: true }
    await write(`${folder}/package.json`, toJson(manifest))
    await write(`${folder}/tsconfig.json`, toJson(packageConfiguration(folder)))
    await write(`${folder}/src/index.ts`, `export const place = '${folder}'\n`)
  }
  await write('node_modules/@tree/language/index.d.ts', language)
  await write('package.json', toJson(rootManifest))
  await write('tsconfig.json', toJson(tsconfig))
  await write('package-lock.json', toJson({ name: 'tree', lockfileVersion: 3, packages: locked }))
  // As npm leaves it at the end of an installation, so that nothing is installed again.
  await write('node_modules/.package-lock.json', toJson({ lockfileVersion: 3, packages: locked }))
}

function packageConfiguration(folder: string): unknown {
  const up = folder.includes('/') ? '../../' : '../'
  const references = folder === 'sdk' ? [] : [{ path: `${up}sdk` }]
  const options = { rootDir: 'src', outDir: 'dist', tsBuildInfoFile: 'dist/.tsbuildinfo' }
  return { extends: `${up}tsconfig.json`, compilerOptions: options, include: ['src'], references }
}

async function linkModules(root: string): Promise<void> {
  const source = path.join(repositoryRoot, 'node_modules')
  await mkdir(path.join(root, 'node_modules/@agent-service'), { recursive: true })
  for (const name of await readdir(source)) {
    if (!name.startsWith('.') && name !== '@agent-service') await symlink(path.join(source, name), path.join(root, 'node_modules', name))
  }
  for (const [folder, fields] of Object.entries(packages))
    await symlink(path.join(root, folder), path.join(root, 'node_modules', String(fields['name'])))
}

function toJson(value: unknown): string {
  return `${JSON.stringify(value, undefined, 2)}\n`
}
