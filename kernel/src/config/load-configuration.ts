import { join, resolve } from 'node:path'
import type { ConfigurationFinding, JsonObject, JsonValue, PluginManifestFile, Problem } from '@agent-service/sdk'
import { readCatalogue } from './catalogue.js'
import { composeSchema, kernelSchema } from './compose-schema.js'
import type { Configuration, ConfigurationDraft, DiscoveredManifest, KernelSections } from './configuration.js'
import { type ConfigurationFile, readConfigurationFile } from './configuration-file.js'
import { parsePath, type ValuePath } from './dotted-path.js'
import { reservedVariables } from './environment-names.js'
import { type Evaluation, evaluate, sourceIn } from './evaluate.js'
import { type Environment, variableValue } from './expand-references.js'
import { kernelRules } from './kernel-rules.js'
import { runPluginRules } from './plugin-rules.js'
import { configurationInvalid, formatProblem, problemAt } from './problem.js'
import type { PathBases } from './resolve-paths.js'
import { isObject, own } from './schema-node.js'
import { secretsIn } from './secrets-in.js'
import { developmentEncryptionSecret } from './sections/index.js'
import { detectTimeZone } from './time-zone.js'

/** What the configuration is made from. */
export interface ConfigurationOrigin {
  readonly environment: Environment
  /** Relative paths start here; absolute. */
  readonly workingDirectory: string
  /** The folder `resources` of the installed package; absolute. The default of `storage.shared_config_dir`. */
  readonly installedResources: string
  /** The system's time zone, instead of asking the system. */
  readonly systemZone?: string
}

/**
 * Steps 1 and 2 of the start: finds and parses the file.
 * @throws `configuration_invalid` when the file cannot be read or parsed. Wrong values are told by {@link ConfigurationDraft.complete}, all at once.
 */
export async function loadConfiguration(origin: ConfigurationOrigin): Promise<ConfigurationDraft> {
  const { environment, workingDirectory, installedResources } = origin
  const serverDataDir = resolve(workingDirectory, reserved(environment))
  const named = variableValue(environment, reservedVariables.configuration)
  const path = named === undefined ? join(serverDataDir, 'config.yaml') : resolve(workingDirectory, named)
  const file = await readConfigurationFile(path, { mustExist: named !== undefined })
  const bases: PathBases = { workingDirectory, serverDataDir, installedResources }
  return Object.freeze<ConfigurationDraft>({
    kernel: kernelSectionsOf(file, environment, bases),
    file: fileFacts(file),
    serverDataDir,
    complete: (plugins) => complete(plugins, file, bases, origin),
  })
}

const fileFacts = ({ path, exists, revision }: ConfigurationFile) => Object.freeze({ path, exists, revision })

/** `SERVICE_SERVER_DATA_DIR`, in either of its spellings. */
function reserved(environment: Environment): string {
  const name = reservedVariables.serverDataDir
  const other = 'SERVICE_SERVER__DATA_DIR'
  const [value, same] = [variableValue(environment, name), variableValue(environment, other)]
  if (value !== undefined && same !== undefined && value !== same)
    throw configurationInvalid('not looked for', [
      { path: '', message: `${name} and ${other} are two spellings of one name with different values; unset one` },
    ])
  return value ?? same ?? 'data'
}

/** The kernel's sections on their own; values that do not hold as their defaults. */
function kernelSectionsOf(file: ConfigurationFile, environment: Environment, bases: PathBases): KernelSections {
  const ownSections = Object.fromEntries(Object.entries(file.value).filter(([name]) => own(kernelSchema.properties, name) !== undefined))
  const { sound } = evaluate(kernelSchema, { ...file, value: ownSections }, environment, bases)
  return deepFreeze(sound) as unknown as KernelSections
}

async function complete(
  plugins: readonly DiscoveredManifest[],
  file: ConfigurationFile,
  bases: PathBases,
  origin: ConfigurationOrigin,
): Promise<Configuration> {
  const { environment } = origin
  const manifests = plugins.map(({ manifest }) => manifest)
  const composed = composeSchema(manifests, kernelSectionsOf(file, environment, bases).plugins.disabled)
  const evaluation = evaluate(composed.schema, file, environment, bases)
  const problems: Problem[] = [...composed.findings.map((finding) => problemAt(finding, undefined)), ...evaluation.problems]
  const warnings: string[] = [...composed.warnings, ...evaluation.warnings]
  for (const { severity, path, message } of await ruleFindings(plugins, evaluation, problems.length === 0, environment)) {
    const place = evaluation.placeOf(parsePath(path) ?? [])
    const problem = { path, message: place === undefined ? message : `${message} (${place})` }
    if (severity === 'warning') warnings.push(formatProblem(problem))
    else problems.push(problem)
  }
  if (problems.length > 0) throw configurationInvalid(file.path, problems)
  const values = deepFreeze(evaluation.values)
  const kernel = values as unknown as KernelSections

  const detected = await detectTimeZone(variableValue(environment, 'TZ'), origin.systemZone)
  const { server, auth, database, storage, cache, scheduler, plugins: pluginSection } = kernel
  return Object.freeze<Configuration>({
    ...{ server, auth, database, storage, cache, scheduler, plugins: pluginSection },
    file: fileFacts(file),
    serverDataDir: bases.serverDataDir,
    timeZone: kernel.server.timezone ?? detected,
    secrets: Object.freeze(secretsIn(composed.schema, values, environment).filter((secret) => secret !== developmentEncryptionSecret)),
    configurationOf: (manifest) => configurationOf(values, manifest),
    sourceOf: (path) => sourceOf(evaluation, path),
    warnings: Object.freeze([...new Set(warnings)]),
  })
}

/**
 * What the rules find. Where the schema does not hold they see the sound rest, so that everything is told at once; then what they say of a
 * faulty place is left out, and so is a rule that cannot do with the rest.
 */
async function ruleFindings(
  plugins: readonly DiscoveredManifest[],
  { sound, faults }: Evaluation,
  holds: boolean,
  environment: Environment,
): Promise<readonly ConfigurationFinding[]> {
  const kernel = deepFreeze(sound) as unknown as KernelSections
  const { catalogue, problems } = await readCatalogue(kernel.storage.shared_config_dir)
  const environmentNames = Object.keys(environment).filter((name) => variableValue(environment, name) !== undefined)
  const facts = deepFreeze({ environmentNames: environmentNames.sort(), catalogue })
  const findings = [
    ...kernelRules(kernel, { production: environment['NODE_ENV'] === 'production', pluginIds: plugins.map(({ manifest }) => manifest.id) }),
    ...problems,
    ...(await runPluginRules(plugins, sound, facts, { ignoreThrows: !holds })),
  ]
  const isFaulty = (path: ValuePath): boolean =>
    faults.some((fault) => fault.length > 1 && fault.every((part, index) => part === path[index]))
  return findings.filter(({ path }) => !isFaulty(parsePath(path) ?? []))
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

function deepFreeze<Value extends JsonValue>(value: Value): Value {
  if (typeof value !== 'object' || value === null) return value
  for (const member of Object.values(value)) deepFreeze(member)
  return Object.freeze(value)
}
