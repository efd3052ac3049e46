import { stat } from 'node:fs/promises'
import type { JsonObject, PluginManifestFile } from '@agent-service/sdk'
import { detectTimeZone } from './check/time-zone.js'
import type { Configuration, ConfigurationDraft, KernelSections } from './effective/configuration.js'
import { signInPolicyOf } from './effective/configuration.js'
import { type Evaluation, evaluate, sourceIn } from './effective/evaluate.js'
import type { Examination } from './effective/examination.js'
import type { PathBases } from './effective/resolve-paths.js'
import { secretsIn } from './effective/secrets-in.js'
import { deepFreeze, examineConfiguration } from './examine-configuration.js'
import { type ConfigurationFile, parseConfigurationFile, readConfigurationFile } from './read/configuration-file.js'
import { configurationLocation } from './read/configuration-location.js'
import { type Environment, variableValue } from './read/expand-references.js'
import { kernelSchema } from './schema/compose-schema.js'
import { formatPath, parsePath, type ValuePath } from './schema/dotted-path.js'
import { configurationInvalid } from './schema/problem.js'
import { isObject, own, type SchemaNode } from './schema/schema-node.js'

export interface ConfigurationOrigin {
  readonly environment: Environment
  /** Relative paths start here; absolute. */
  readonly workingDirectory: string
  /**
   * The folder `resources` of the installed package; absolute. The default of
   * `storage.shared_config_dir`.
   */
  readonly installedResources: string
  /** The system's time zone, instead of asking the system. */
  readonly systemZone?: string
  /** Text to read instead of the file's content, as if it had been saved. */
  readonly candidate?: string
}

/**
 * Steps 1 and 2 of the start: finds and parses the file.
 * @throws `configuration_invalid` if the file cannot be read or parsed. {@link
 * ConfigurationDraft.complete} reports wrong values, all at once.
 */
export async function loadConfiguration(origin: ConfigurationOrigin): Promise<ConfigurationDraft> {
  const { path, named } = configurationLocation(origin.environment, origin.workingDirectory)
  const file =
    origin.candidate === undefined
      ? await readConfigurationFile(path, { mustExist: named })
      : await parseConfigurationFile(path, Buffer.from(origin.candidate, 'utf8'))
  return draftConfiguration(file, origin)
}

/** The same for a given file: as it was read, or as a save would leave it. */
export function draftConfiguration(file: ConfigurationFile, origin: Omit<ConfigurationOrigin, 'candidate'>): ConfigurationDraft {
  const { environment, workingDirectory, installedResources } = origin
  const { serverDataDir } = configurationLocation(environment, workingDirectory)
  const bases: PathBases = { workingDirectory, serverDataDir, installedResources }
  const kernel = kernelSectionsOf(file, environment, bases)
  const examine: ConfigurationDraft['examine'] = (plugins) =>
    examineConfiguration({ file, environment, bases, plugins, disabled: kernel.plugins.disabled })
  return Object.freeze<ConfigurationDraft>({
    kernel,
    file: fileFacts(file),
    serverDataDir,
    examine,
    complete: async (plugins) => configurationFrom(await examine(plugins), origin.systemZone),
  })
}

const fileFacts = ({ path, exists, revision }: ConfigurationFile) => Object.freeze({ path, exists, revision })

/** The kernel's sections alone; defaults replace values that are not valid. */
function kernelSectionsOf(file: ConfigurationFile, environment: Environment, bases: PathBases): KernelSections {
  const ownSections = Object.fromEntries(Object.entries(file.value).filter(([name]) => own(kernelSchema.properties, name) !== undefined))
  const { sound } = evaluate(kernelSchema, { ...file, value: ownSections }, environment, bases)
  return deepFreeze(sound) as unknown as KernelSections
}

/**
 * The configuration of an examination.
 * @throws `configuration_invalid` with every problem at once.
 */
export async function configurationFrom({ evaluation, schema, ...examination }: Examination, systemZone?: string): Promise<Configuration> {
  const { file, environment, bases, problems, warnings } = examination
  if (problems.length > 0) throw configurationInvalid(file.path, problems)
  const values = deepFreeze(evaluation.values)
  const kernel = values as unknown as KernelSections

  const detected = await detectTimeZone({ variable: variableValue(environment, 'TZ'), systemZone })
  const { server, auth, database, storage, cache, scheduler, plugins: pluginSection } = kernel
  return Object.freeze<Configuration>({
    ...{ server, auth, database, storage, cache, scheduler, plugins: pluginSection },
    file: fileFacts(file),
    serverDataDir: bases.serverDataDir,
    installation: await installationOf(file, database.path),
    openChoices: Object.freeze(openChoicesIn(schema, evaluation)),
    timeZone: kernel.server.timezone ?? detected,
    signIn: signInPolicyOf(values, environment),
    secrets: Object.freeze(secretsIn(schema, values, environment)),
    configurationOf: (manifest) => configurationOf(values, manifest),
    sourceOf: (path) => sourceOf(evaluation, path),
    warnings,
  })
}

function configurationOf(values: JsonObject, { id, config, sections }: PluginManifestFile): unknown {
  if (sections !== undefined) return Object.freeze(Object.fromEntries(Object.keys(sections).map((name) => [name, own(values, name)])))
  const section = own(values, 'plugins')
  const settings = isObject(section) ? own(section, 'settings') : undefined
  return (config === undefined || !isObject(settings) ? undefined : own(settings, id)) ?? Object.freeze({})
}

const sourceOf = (evaluation: Evaluation, text: string): ReturnType<Configuration['sourceOf']> => {
  const path = parsePath(text)
  return path === undefined ? 'default' : sourceIn(evaluation, path)
}

/**
 * `existing` if the database folder exists or the file has any key. Call it before that folder is
 * created.
 */
async function installationOf(file: ConfigurationFile, databasePath: string): Promise<'fresh' | 'existing'> {
  if (Object.keys(file.value).length > 0) return 'existing'
  return stat(databasePath).then(
    () => 'existing' as const,
    (error: unknown) => {
      // A folder that cannot be accessed exists.
      const isAbsent = error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR')
      return isAbsent ? 'fresh' : 'existing'
    },
  )
}

/**
 * Dotted paths of the fields marked for set-up that have no value yet. Entries of maps have none.
 */
function openChoicesIn(node: SchemaNode, evaluation: Evaluation, path: ValuePath = []): readonly string[] {
  if (node['x-set-up']) return sourceIn(evaluation, path) === 'default' ? [formatPath(path)] : []
  return Object.entries(node.properties ?? {}).flatMap(([name, member]) => openChoicesIn(member, evaluation, [...path, name]))
}
