import { execFile } from 'node:child_process'
import { existsSync, rmSync } from 'node:fs'
import { cp, mkdir, mkdtemp, readdir, readFile, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const run = promisify(execFile)
const root = fileURLToPath(new URL('../../../', import.meta.url))

/** Packages of the build and the tests, as a developer of a plugin would install them. */
const tools = ['typescript', 'mocha', 'chai', '@types/node', '@types/mocha', '@types/chai']

interface Package {
  readonly dependencies?: Readonly<Record<string, string>>
  readonly devDependencies?: Readonly<Record<string, string>>
}

const readPackage = async (folder: string): Promise<Package> => JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')) as Package

/** Fills an empty folder with an example as this repository compiled it, and the packed SDK. */
export async function unpackBuiltExample(folder: string, example: string): Promise<void> {
  await installSdk(folder)
  for (const name of ['package.json', 'dist']) await cp(join(root, 'examples', example, name), join(folder, name), { recursive: true })
}

/**
 * Fills an empty folder with an example, the packed SDK, and the tools of its build and its tests:
 * nothing of the repository besides.
 */
export async function unpackExample(folder: string, example: string): Promise<void> {
  await installSdk(folder)
  const source = join(root, 'examples', example)
  const { devDependencies = {} } = await readPackage(source)
  for (const tool of [...tools, ...Object.keys(devDependencies)])
    await link(join(root, 'node_modules', tool), join(folder, 'node_modules', tool))
  await link(join(root, 'node_modules/typescript/bin/tsc'), join(folder, 'node_modules/.bin/tsc'))
  await link(join(root, 'node_modules/mocha/bin/mocha.js'), join(folder, 'node_modules/.bin/mocha'))
  await link(
    join(folder, 'node_modules/@agent-service/sdk/bin/agent-service-plugin.mjs'),
    join(folder, 'node_modules/.bin/agent-service-plugin'),
  )
  for (const name of ['package.json', 'tsconfig.json', 'README.md', 'src', 'web']) {
    if (existsSync(join(source, name))) await cp(join(source, name), join(folder, name), { recursive: true, filter: isSource })
  }
}

/** What is compiled of `web` lies there too. */
const isSource = (place: string): boolean => basename(place) !== 'dist'

let packed: Promise<string> | undefined

/** The archive of the SDK as it would be published: packed once for this process. */
async function packSdk(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'packed-sdk-'))
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
  await run('npm', ['pack', '--offline', '--ignore-scripts', '--pack-destination', folder], { cwd: join(root, 'sdk') })
  const archive = (await readdir(folder)).find((name) => name.endsWith('.tgz'))
  if (archive === undefined) throw new Error('npm packed no archive of the SDK.')
  return join(folder, archive)
}

/** Unpacks the SDK as it is published into the node_modules of a folder, with the packages that it needs. */
export async function installSdk(folder: string): Promise<void> {
  const place = join(folder, 'node_modules/@agent-service/sdk')
  await mkdir(place, { recursive: true })
  packed ??= packSdk()
  await run('tar', ['-xzf', await packed, '-C', place, '--strip-components=1'])
  await copyDependencies(place, join(folder, 'node_modules'))
}

/** Copies the packages that one depends on, and those that these do. */
async function copyDependencies(folder: string, modules: string): Promise<void> {
  const { dependencies = {} } = await readPackage(folder)
  for (const name of Object.keys(dependencies)) {
    const place = join(modules, name)
    if (existsSync(place)) continue
    await cp(join(root, 'node_modules', name), place, { recursive: true })
    await copyDependencies(place, modules)
  }
}

export async function link(target: string, place: string): Promise<void> {
  await mkdir(join(place, '..'), { recursive: true })
  await symlink(target, place)
}
