import { join, resolve } from 'node:path'
import type { ConfigurationFinding, JsonObject, JsonValue, PluginManifestFile, Problem } from '@agent-service/sdk'
import { readCatalogue } from './catalogue.js'
import { composeSchema, kernelSchema } from './compose-schema.js'
import type { Configuration, ConfigurationDraft, DiscoveredManifest, KernelSections } from './configuration.js'
import { type ConfigurationFile, readConfigurationFile } from './configuration-file.js'
import { parsePath } from './dotted-path.js'
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
    throw configurationInvalid('', [
      { path: '', message: `${name} and ${other} are two spellings of one name with different values; unset one` },
    ])
  return value ?? same ?? 'data'
}

/** The kernel's sections on their own; those with problems as their defaults. */
function kernelSectionsOf(file: ConfigurationFile, environment: Environment, bases: PathBases): KernelSections {
  const sectionNames = Object.keys(kernelSchema.properties ?? {})
  const ownSections = Object.fromEntries(Object.entries(file.value).filter(([name]) => sectionNames.includes(name)))
  const { values, problems } = evaluate(kernelSchema, { ...file, value: ownSections }, environment, bases)
  const broken = new Set(problems.map((problem) => parsePath(problem.path)?.[0]))
  const defaults = evaluate(kernelSchema, { ...file, value: {} }, {}, bases).values
  const sound = sectionNames.map((name) => [name, (broken.has(name) ? defaults : values)[name]])
  return deepFreeze(Object.fromEntries(sound)) as unknown as KernelSections
}

async function complete(
  plugins: readonly DiscoveredManifest[],
  file: ConfigurationFile,
  bases: PathBases,
  origin: ConfigurationOrigin,
): Promise<Configuration> {
  const { environment } = origin
  const manifests = plugins.map(({ manifest }) => manifest)
  const provisional = kernelSectionsOf(file, environment, bases)
  const composed = composeSchema(manifests, provisional.plugins.disabled)
  const evaluation = evaluate(composed.schema, file, environment, bases)
  const problems: Problem[] = [...composed.findings.map((finding) => problemAt(finding, undefined)), ...evaluation.problems]
  const warnings: string[] = [...composed.warnings, ...evaluation.warnings]
  const values = deepFreeze(evaluation.values)

  const take = (finding: ConfigurationFinding): void => {
    const place = evaluation.placeOf(parsePath(finding.path) ?? [])
    const problem = { path: finding.path, message: place === undefined ? finding.message : `${finding.message} (${place})` }
    if (finding.severity === 'warning') warnings.push(formatProblem(problem))
    else problems.push(problem)
  }
  const kernel = values as unknown as KernelSections
  const pluginIds = manifests.map(({ id }) => id)
  const production = environment['NODE_ENV'] === 'production'
  // Rules trust the schema, so they run over the sections that hold; what a broken one would say comes with the next try.
  const sound = problems.length === 0 ? kernel : provisional
  kernelRules(sound, { production, pluginIds }).forEach(take)
  if (problems.length === 0) {
    const { catalogue, problems: unreadable } = await readCatalogue(kernel.storage.shared_config_dir)
    problems.push(...unreadable)
    const environmentNames = Object.keys(environment).filter((name) => variableValue(environment, name) !== undefined)
    const facts = deepFreeze({ environmentNames: environmentNames.sort(), catalogue })
    for (const finding of await runPluginRules(plugins, values, facts)) take(finding)
  }
  if (problems.length > 0) throw configurationInvalid(file.path, problems)

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
