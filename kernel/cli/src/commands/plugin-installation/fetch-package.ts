import { createHash } from 'node:crypto'
import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import path from 'node:path'
import { pluginNotInstallableError } from './errors.js'
import { runNpm } from './npm.js'

/** A package that npm has unpacked, with its dependencies. */
export interface FetchedPackage {
  readonly name: string
  /** `sha512-…` of its archive. */
  readonly integrity: string
}

/** What npm needs. */
export interface FetchOptions {
  /** An empty folder, which becomes the plugin's own. */
  readonly folder: string
  readonly workingDirectory: string
  readonly environment: Readonly<Record<string, string | undefined>>
}

const sdkName = '@agent-service/sdk'

/**
 * Fetches a plugin's package into a folder: packs the source (a package of the registry, an archive
 * or a folder), installs the archive with its dependencies and without running any script, and
 * links the service's own SDK, so that there is only one.
 */
export async function fetchPackage(source: string, { folder, workingDirectory, environment }: FetchOptions): Promise<FetchedPackage> {
  if (source === '' || source.startsWith('-'))
    throw pluginNotInstallableError.create({ source, reason: 'it is not a package, archive or folder' })
  const spec = isPath(source) ? path.resolve(workingDirectory, source) : source
  const archives = path.join(folder, 'archive')
  await mkdir(archives, { recursive: true })
  const npm = { folder, environment }
  const printed = await runNpm(['pack', '--json', `--pack-destination=${archives}`, '--', spec], { ...npm, what: `fetch ${source}` })
  const { name, filename } = packedIn(printed, source)
  const archive = path.join(archives, path.basename(filename))
  const integrity = `sha512-${createHash('sha512')
    .update(await readFile(archive))
    .digest('base64')}`
  await writeFile(path.join(folder, 'package.json'), JSON.stringify({ name: 'installed-plugin', version: '0.0.0', private: true }))
  await runNpm(['install', '--omit=dev', '--omit=peer', '--legacy-peer-deps', '--save-exact', '--', archive], {
    ...npm,
    what: `install ${source}`,
  })
  await linkSdk(folder)
  return { name, integrity }
}

const isPath = (source: string): boolean => /^(\.{1,2}(\/|$)|\/)/.test(source) || source.endsWith('.tgz')

function packedIn(printed: string, source: string): { readonly name: string; readonly filename: string } {
  const parsed: unknown = JSON.parse(printed.slice(printed.indexOf('[')))
  const first: unknown = Array.isArray(parsed) ? parsed[0] : undefined
  if (typeof first === 'object' && first !== null && 'name' in first && 'filename' in first)
    return { name: String(first.name), filename: String(first.filename) }
  throw pluginNotInstallableError.create({ source, reason: 'npm did not report what it packed' })
}

async function linkSdk(folder: string): Promise<void> {
  const own = path.dirname(createRequire(import.meta.url).resolve(`${sdkName}/package.json`))
  const invocation = path.join(folder, 'node_modules', sdkName)
  await mkdir(path.dirname(invocation), { recursive: true })
  await symlink(own, invocation, 'dir')
}
