import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { access, constants, lstat, mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const execute = promisify(execFile)
const compileLimitMs = 60_000

const packageFolder = fileURLToPath(new URL('../../', import.meta.url))
/** The helper's source, which the package has beside its compiled code; it includes what is beside it. */
export const helperSource = path.join(packageFolder, 'helper', 'confine.c')
const builtFolder = path.join(packageFolder, 'build')

const compilerNames = ['cc', 'gcc', 'clang']
const compilerFolders = ['/usr/bin', '/bin', '/usr/local/bin', '/run/current-system/sw/bin']
const flags = ['-O2', '-Wall', '-Wextra']

/** The compiled helper, or what kept it from being compiled. */
export type CompiledHelper = { readonly path: string } | { readonly missing: string }

/**
 * The helper for the source of this package: compiled at the build, at an earlier start, or now, if
 * there is a compiler. A digest of the sources stands beside it, so that an older one is never taken.
 */
export async function compiledHelper(
  options: { readonly source?: string; readonly folders?: readonly string[]; readonly compilers?: readonly string[] } = {},
): Promise<CompiledHelper> {
  const { source = helperSource, folders = [builtFolder, ownFolder()] } = options
  const digest = await digestOf(source)
  for (const folder of folders) if (await isCurrent(folder, digest)) return { path: path.join(folder, name) }
  const compilers = options.compilers ?? (await findCompilers())
  const [compiler] = compilers
  if (compiler === undefined) return { missing: 'there is no C compiler (cc, gcc or clang)' }
  let missing = ''
  for (const folder of folders) {
    const made = await compile(compiler, source, folder, digest)
    if ('path' in made) return made
    missing = made.missing
  }
  return { missing }
}

/** Of the source and of everything that it may include. */
async function digestOf(source: string): Promise<string> {
  const folder = path.dirname(source)
  const included = (await readdir(folder)).filter((each) => each.endsWith('.h')).sort()
  const digest = createHash('sha256').update(process.arch)
  for (const file of [source, ...included.map((each) => path.join(folder, each))])
    digest.update(`\0${path.basename(file)}\0`).update(await readFile(file))
  return digest.digest('hex')
}

const name = 'confine'
const digestName = 'confine.sha256'

async function isCurrent(folder: string, digest: string): Promise<boolean> {
  if (!(await isOurs(folder)) || !(await isOurs(path.join(folder, name)))) return false
  return (await readFile(path.join(folder, digestName), 'utf8').catch(() => '')) === digest
}

/** For a package whose folder belongs to someone else. */
const ownFolder = (): string => path.join(tmpdir(), `agent-service-sandbox-helper-${process.getuid?.() ?? 0}`)

/** Compiles beside the final name, so that a half-written program is never started. */
async function compile(compiler: string, source: string, folder: string, digest: string): Promise<CompiledHelper> {
  const [fresh, finished] = [path.join(folder, `.${name}-${process.pid}`), path.join(folder, name)]
  try {
    await mkdir(folder, { recursive: true, mode: 0o755 })
    if (!(await isOurs(folder))) return { missing: `${folder} belongs to another user` }
    const env = { PATH: compilerFolders.join(':'), LANG: 'C.UTF-8' }
    await execute(compiler, [...flags, '-o', fresh, source], { timeout: compileLimitMs, env })
    await rename(fresh, finished)
    await writeFile(path.join(folder, digestName), digest)
    return { path: finished }
  } catch (error) {
    await rm(fresh, { force: true }).catch(() => undefined)
    return { missing: `${compiler} could not compile the helper into ${folder}: ${(error as Error).message.slice(0, 500)}` }
  }
}

/** Whether nobody but this user and root may have changed it. */
async function isOurs(file: string): Promise<boolean> {
  try {
    const { uid, mode } = await lstat(file)
    return (uid === 0 || uid === process.getuid?.()) && (mode & 0o170000) !== 0o120000 && (mode & 0o022) === 0
  } catch {
    return false
  }
}

async function findCompilers(): Promise<readonly string[]> {
  const all = compilerNames.flatMap((name) => compilerFolders.map((folder) => path.join(folder, name)))
  const found = await Promise.all(
    all.map((each) =>
      access(each, constants.X_OK).then(
        () => [each],
        () => [],
      ),
    ),
  )
  return found.flat()
}
