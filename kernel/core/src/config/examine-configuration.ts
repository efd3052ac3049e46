import type { ConfigurationFacts, ConfigurationFinding, JsonObject, JsonValue, Problem } from '@agent-service/sdk'
import type { DiscoveredManifest, KernelSections } from './effective/configuration.js'
import { type Evaluation, evaluate } from './effective/evaluate.js'
import type { CatalogueDefault, Examination, OverlappingSetting } from './effective/examination.js'
import type { PathBases } from './effective/resolve-paths.js'
import type { ConfigurationFile } from './read/configuration-file.js'
import { type Environment, variableValue } from './read/expand-references.js'
import { readCatalogue } from './rules/catalogue.js'
import { kernelRules } from './rules/kernel-rules.js'
import { runPluginRules } from './rules/plugin-rules.js'
import { composeSchema } from './schema/compose-schema.js'
import { begins, parsePath, type ValuePath } from './schema/dotted-path.js'
import { formatProblem, problemAt } from './schema/problem.js'

export interface ExaminationInput {
  readonly file: ConfigurationFile
  readonly environment: Environment
  readonly bases: PathBases
  /** Every discovered plugin, disabled ones too. */
  readonly plugins: readonly DiscoveredManifest[]
  /** Ids in `plugins.disabled`. */
  readonly disabled: readonly string[]
}

/**
 * Composes the schema, evaluates the file and the environment by it, and runs the rules. Never
 * throws for an operator's mistake.
 */
export async function examineConfiguration({ file, environment, bases, plugins, disabled }: ExaminationInput): Promise<Examination> {
  const manifests = plugins.map(({ manifest }) => manifest)
  const composed = composeSchema(manifests, disabled)
  const evaluation = evaluate(composed.schema, file, environment, bases)
  const problems: Problem[] = [...composed.findings.map((finding) => problemAt(finding, undefined)), ...evaluation.problems]
  const warnings: string[] = [...composed.warnings, ...evaluation.warnings, ...plugins.flatMap(heldBack)]
  const overlaps: OverlappingSetting[] = []
  const catalogueDefaults: CatalogueDefault[] = []
  for (const finding of await ruleFindings({ file, environment, bases, plugins, disabled }, evaluation, problems.length === 0)) {
    const { severity, path, message, overlap, catalogueDefault } = finding
    if (overlap) overlaps.push({ path, ...overlap })
    if (catalogueDefault) catalogueDefaults.push({ path: parsePath(path) ?? [], ...catalogueDefault })
    if (overlap || catalogueDefault) continue
    const place = evaluation.placeOf(parsePath(path) ?? [])
    const problem = { path, message: place === undefined ? message : `${message} (${place})` }
    if (severity === 'warning') warnings.push(formatProblem(problem))
    else problems.push(problem)
  }
  return Object.freeze<Examination>({
    ...{ file, environment, bases, manifests, evaluation, problems },
    schema: composed.schema,
    overlaps,
    catalogueDefaults,
    warnings: Object.freeze([...new Set(warnings)]),
  })
}

/**
 * The findings of the rules. If values are not valid, rules see the valid rest, so that all
 * problems are reported at once. Their findings at an invalid path, and rules that throw on the
 * rest, are then ignored.
 */
async function ruleFindings(
  { file, environment, bases, plugins, disabled }: ExaminationInput,
  { sound, faults }: Evaluation,
  holds: boolean,
): Promise<readonly ConfigurationFinding[]> {
  const kernel = deepFreeze(sound) as JsonObject as unknown as KernelSections
  const { catalogue, problems } = await readCatalogue(kernel.storage.shared_config_dir)
  const environmentNames = Object.keys(environment).filter((name) => variableValue(environment, name) !== undefined)
  const extensions = plugins.flatMap(({ manifest }) => manifest.extends ?? [])
  const facts: ConfigurationFacts = {
    ...{ environmentNames: environmentNames.sort(), catalogue, extensions },
    thirdPartyPoints: thirdPartyPoints(plugins, disabled),
  }
  deepFreeze(facts as unknown as JsonObject)
  const findings = [
    ...kernelRules(kernel, {
      production: environment['NODE_ENV'] === 'production',
      pluginIds: plugins.map(({ manifest }) => manifest.id),
      serverDataDir: bases.serverDataDir,
      configurationFile: file.path,
    }),
    ...problems,
    ...(await runPluginRules(plugins.filter(mayRunRules(disabled, faults)), sound, facts, { ignoreThrows: !holds })),
  ]
  const isFaulty = (path: ValuePath): boolean => faults.some((fault) => fault.length > 1 && begins(fault, path))
  return findings.filter(({ path }) => !isFaulty(parsePath(path) ?? []))
}

/**
 * Rules are code. A third party's rules do not run if its plugin is disabled, or if it is not known
 * which plugins are. The rules of the service's own plugins always run, since they also apply to
 * the sections of disabled plugins.
 */
function mayRunRules(disabled: readonly string[], faults: readonly ValuePath[]): (plugin: DiscoveredManifest) => boolean {
  const isKnown = !faults.some(([section, list]) => section === 'plugins' && (list === undefined || list === 'disabled'))
  return ({ thirdParty, manifest: { id } }) => !thirdParty || (isKnown && !disabled.includes(id))
}

const heldBack = ({ rulesHeldBack, manifest: { id } }: DiscoveredManifest): readonly string[] =>
  rulesHeldBack ? [`plugins.sources: the rules of plugin “${id}” are checked at the start; none of its code runs before`] : []

const thirdPartyPoints = (plugins: readonly DiscoveredManifest[], disabled: readonly string[]): readonly string[] => {
  const running = plugins.filter(({ thirdParty, manifest: { id, stage } }) => thirdParty && stage !== 'declared' && !disabled.includes(id))
  return [...new Set(running.flatMap(({ manifest }) => manifest.contributes ?? []))].sort()
}

export function deepFreeze<Value extends JsonValue>(value: Value): Value {
  if (typeof value !== 'object' || value === null) return value
  for (const member of Object.values(value)) deepFreeze(member)
  return Object.freeze(value)
}
