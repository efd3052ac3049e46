import { existsSync } from 'node:fs'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { reservedIdLine } from '../../admission/reserved-names.js'
import { suggestion } from '../../core/nearest.js'
import { pluginIdPattern } from '../../manifest/manifest-schema.js'
import { pluginBuildError } from '../common/build-errors.js'
import { readJsonObject } from '../common/plugin-package.js'
import { packageMembers } from './package-members.js'
import { kindOf, pluginKinds, projectFiles } from './project-files.js'

/** What {@link initPlugin} made. */
export interface InitialisedPlugin {
  /** The id of the plugin. */
  readonly id: string
  /** Where it lies, absolute. */
  readonly folder: string
  /** Paths in the folder, as they were written. */
  readonly files: readonly string[]
}

/**
 * Writes a plugin of a kind into a folder, new or empty but for a package.json, whose members are
 * kept. The kind may also be named by the id of its point: `http.route`. @throws a `plugin_build_failed`
 * error with a reason if the kind is unknown, the folder's name is not an id of a third party, or a file
 * exists already; nothing is written then.
 */
export async function initPlugin(word: string, folder: string): Promise<InitialisedPlugin> {
  const root = path.resolve(folder)
  const fail = (reason: string): Error => pluginBuildError.create({ folder, reason })
  const kind = kindOf(word)
  if (kind === undefined)
    throw fail(`unknown kind “${word}”${suggestion(word, pluginKinds) || '.'} Known kinds: ${pluginKinds.join(', ')}.`)
  const id = path.basename(root).toLowerCase()
  if (!new RegExp(pluginIdPattern, 'u').test(id)) {
    throw fail(
      `its name becomes the id of the plugin, and “${id}” is not a valid id. Name it like “${kind}-example”: lower-case words with “-” between them.`,
    )
  }
  const reserved = reservedIdLine(id)
  if (reserved !== undefined) throw fail(`its name becomes the id of the plugin, and ${reserved}: name the folder like “${kind}-example”.`)
  const files = projectFiles(kind, id)
  const taken = Object.keys(files).filter((name) => existsSync(path.join(root, name)))
  if (taken.length > 0) throw fail(`${taken.join(', ')} already exists. Choose a folder that is new or empty.`)
  const packageFile = path.join(root, 'package.json')
  const before = existsSync(packageFile) ? await readJsonObject(packageFile) : {}
  const members = packageMembers({ id, before, sdk: await sdkVersion(), sdkSpecifier: await sdkSpecifierNear(root) })
  await writeAll(root, { 'package.json': `${JSON.stringify(members, null, 2)}\n`, ...files })
  return { id, folder: root, files: ['package.json', ...Object.keys(files)] }
}

async function writeAll(root: string, files: Readonly<Record<string, string>>): Promise<void> {
  for (const [name, text] of Object.entries(files)) {
    const file = path.join(root, name)
    await mkdir(path.dirname(file), { recursive: true })
    await writeFile(file, text)
  }
}

async function sdkVersion(): Promise<string> {
  const file = fileURLToPath(new URL('../../../package.json', import.meta.url))
  const { version } = JSON.parse(await readFile(file, 'utf8')) as { readonly version: string }
  return version
}

/**
 * Where the working directory has the SDK from an archive, the new folder takes it from there too.
 */
async function sdkSpecifierNear(root: string): Promise<string | undefined> {
  const near = path.join(process.cwd(), 'package.json')
  if (!existsSync(near)) return undefined
  const { dependencies = {}, devDependencies = {} } = (await readJsonObject(near)) as {
    readonly dependencies?: Readonly<Record<string, string>>
    readonly devDependencies?: Readonly<Record<string, string>>
  }
  const specifier = dependencies['@agent-service/sdk'] ?? devDependencies['@agent-service/sdk']
  if (!specifier?.startsWith('file:')) return specifier
  return `file:${path.relative(root, path.resolve(specifier.slice('file:'.length)))}`
}
