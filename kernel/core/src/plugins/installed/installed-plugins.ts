import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { canonicalJson, defineError, type PluginManifestFile, type Static, Type, validate } from '@agent-service/sdk'

const text = () => Type.String({ minLength: 1, maxLength: 2_000 })

const entry = Type.Object({
  package: text(),
  version: text(),
  /** The source that the operator named: a package, an archive or a folder. */
  source: text(),
  /** Of the installed archive: `sha512-…`. */
  integrity: text(),
  installed_at: text(),
  /** Of its first version, unless it was removed since; absent in lists of earlier versions. */
  first_installed_at: Type.Optional(text()),
  manifest: text(),
  /** What was granted, and for which manifest; absent while nothing is. */
  grant: Type.Optional(Type.Object({ reaches: Type.Array(text()), granted_at: text() })),
})

const documentSchema = Type.Object({ version: Type.Literal(1), plugins: Type.Record(Type.String(), entry) })

/** One plugin that `agent-service plugins install` installed. */
export type InstalledPlugin = Static<typeof entry>

export type InstalledPlugins = Readonly<Record<string, InstalledPlugin>>

export const installedListInvalidError = defineError<{ readonly file: string; readonly reason: string }>({
  code: 'configuration_installed_plugins',
  status: 500,
  title: 'List of installed plugins not usable',
  message: ({ file, reason }) => `${file} ${reason}. Correct it, or remove it and install the plugins again.`,
})

export const installationVariable = 'AGENT_SERVICE_PLUGINS_DIR'

/**
 * The folder that plugins are installed into: the one that the operator names, or one beside the
 * data folder, never in it.
 */
export function installationFolder(
  environment: Readonly<Record<string, string | undefined>>,
  place: { readonly workingDirectory: string; readonly serverDataDir: string },
): string {
  const named = environment[installationVariable]
  return named ? path.resolve(place.workingDirectory, named) : `${place.serverDataDir}-plugins`
}

export const listFile = (folder: string): string => path.join(folder, 'installed.json')

/** The folder of one plugin's package, below the folder of installed plugins. */
export const packageFolder = (folder: string, id: string, { package: name }: Pick<InstalledPlugin, 'package'>): string =>
  path.join(folder, id, 'node_modules', name)

/**
 * Reads the list of installed plugins; empty if the folder does not exist. @throws
 * `configuration_installed_plugins`.
 */
export async function readInstalled(folder: string): Promise<InstalledPlugins> {
  const file = listFile(folder)
  if (!existsSync(file)) return {}
  const refuse = (reason: string, cause?: unknown): Error => installedListInvalidError.create({ file, reason }, { cause })
  let value: unknown
  try {
    value = JSON.parse(await readFile(file, 'utf8'))
  } catch (error) {
    throw refuse(`cannot be read (${error instanceof Error ? error.message : String(error)})`, error)
  }
  const problems = validate(documentSchema, value)
  if (problems.length > 0) throw refuse(`is not valid: ${problems.map(({ path: at, message }) => `${at} ${message}`).join('; ')}`)
  return (value as Static<typeof documentSchema>).plugins
}

/** The digest of a manifest: equal for equal contents. */
export const manifestHash = (manifest: PluginManifestFile): string => createHash('sha256').update(canonicalJson(manifest)).digest('hex')

/**
 * Every access that a plugin's manifest asks for, one line each, for a person to grant. A manifest
 * is wider than another if it has a line that the other lacks.
 */
export function requestedAccess(manifest: PluginManifestFile): readonly string[] {
  const { contributes = [], provides = [], requires = [], optional = [], permissions = [], renamedFrom = [] } = manifest
  const granted = permissions.flatMap(({ kind, targets = [], targetsFromConfiguration = [] }) => {
    if (kind === 'console') return ['console: runs code in the pages of the console, with the rights of whoever is signed in']
    const named = [...targets, ...targetsFromConfiguration.map((pointer) => `the address in the setting ${pointer}`)]
    return (named.length === 0 ? ['anything'] : named).map((target) => `${kind}: ${target}`)
  })
  return [
    ...granted,
    ...contributes.map((point) => `adds to ${point}`),
    ...provides.map((service) => `provides the service ${service}`),
    ...[...requires, ...optional].map((service) => `uses the service ${service}`),
    ...renamedFrom.map((id) => `takes over the data of the plugin “${id}”`),
    ...(manifest.rules === undefined ? [] : ['checks the configuration with code of its own']),
  ]
}

/** The access that a manifest asks for beyond the grant. All of it while nothing is granted. */
export function ungranted(installed: InstalledPlugin, manifest: PluginManifestFile): readonly string[] {
  const granted = new Set(installed.grant?.reaches)
  return requestedAccess(manifest).filter((reach) => !granted.has(reach))
}

/** Why an installed plugin may not run; `undefined` when it may. */
export function grantProblem(id: string, installed: InstalledPlugin, manifest: PluginManifestFile): string | undefined {
  const mend = `review it and run “agent-service plugins grant ${id}”`
  if (installed.grant === undefined) return `it is installed, but its permissions are not granted; ${mend}`
  if (installed.manifest !== manifestHash(manifest)) return `its plugin.json has changed since it was installed; install it again`
  const wider = ungranted(installed, manifest)
  return wider.length === 0 ? undefined : `this version asks for more than was granted (${wider.join('; ')}); ${mend}`
}
