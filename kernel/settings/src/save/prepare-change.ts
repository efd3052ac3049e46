import { setImmediate } from 'node:timers/promises'
import {
  begins,
  type ConfigurationDraft,
  type ConfigurationFile,
  composeSchema,
  draftConfiguration,
  type EnvironmentValue,
  type Examination,
  type Finding,
  formatPath,
  maxConfigurationBytes,
  placementFindings,
  presentConfigurationFile,
  problemAt,
  protectedPaths,
  type SchemaNode,
  type ValuePath,
  valueAt,
} from '@agent-service/kernel-core/config'
import type { JsonObject, Problem } from '@agent-service/sdk'
import { editYaml, type Source, textOf } from '../edit/edit-yaml.js'
import { checkChanges } from './check-changes.js'
import type { ConfigurationEditorOptions, ConfigurationPatch, LockedPath } from './configuration-editor.js'
import { refusedReferences } from './new-references.js'
import { planChange, withChanges } from './plan-change.js'
import { type Change, readPatch } from './read-patch.js'

/** The result of applying a patch to a text. */
export interface PreparedChange {
  /** The new text; the old one if there are problems. */
  readonly source: Source
  readonly problems: readonly Problem[]
  readonly locked: readonly LockedPath[]
  /** The examination of the configuration with the change. */
  readonly examination: Examination
}

/**
 * Applies a patch to the text and checks the resulting configuration: first the values alone, then
 * the text, as the start would read it. Writes nothing. Yields between its steps, since each takes
 * long for a large file.
 */
export async function prepareChange(
  file: ConfigurationFile,
  source: Source,
  patch: ConfigurationPatch,
  options: ConfigurationEditorOptions,
): Promise<PreparedChange> {
  const { origin, discover } = options
  const { changes: asked, problems } = readPatch(patch)
  const references = await foreignReferences(file, asked, options)
  // References that are not allowed are never resolved, not even to check the rest.
  const changes = without(asked, references)
  const changed = withChanges(file.value, changes)
  const draft = draftOf(file, changes, origin)
  const saved = draftConfiguration(file, origin)
  const plugins = await discover(draft, saved)
  const examination = await draft.examine(plugins)
  const found = [
    ...(changes.some(movesPlaces) ? movedPlacements(draft, [saved, ...(options.running === undefined ? [] : [options.running])]) : []),
    ...problems,
    // Again with the schema after the change: a field may no longer be secret in it.
    ...[...references, ...addedReferences(file, changed, examination.schema, options)].map((finding) => problemAt(finding, undefined)),
    ...checkChanges(examination.schema, file.value, changed, changes),
  ]
  const reported = new Set(found.map(({ path }) => path))
  const refused = [...found, ...examination.problems.filter(({ path }) => !reported.has(path))]
  const locked = lockedPaths(changes, examination.evaluation.environmentValues)
  const refuse = (reasons: readonly Problem[]): PreparedChange => ({ source, problems: reasons, locked, examination })

  const operations = refused.length > 0 ? [] : planChange(file.value, changes, examination)
  if (operations.length === 0) return refuse(refused)
  await setImmediate()
  const edited = editYaml(source, operations)
  if ('problems' in edited) return refuse(edited.problems)
  const bytes = Buffer.from(textOf(edited), 'utf8')
  if (bytes.length > maxConfigurationBytes)
    return refuse([{ path: '', message: `would have ${bytes.length} bytes with this change; the maximum is ${maxConfigurationBytes}.` }])
  await setImmediate()
  const final = await draftConfiguration(presentConfigurationFile(file.path, bytes, edited), origin).examine(plugins)
  return final.problems.length > 0 ? refuse(final.problems) : { source: edited, problems: [], locked, examination: final }
}

const movesPlaces = ({ path: [section = ''] }: Change): boolean => ['plugins', 'server', 'storage', 'database'].includes(section)

/**
 * Problems of folders that the change would run or serve and that earlier configurations used for
 * data: their contents must not become code.
 */
function movedPlacements(
  { kernel, file }: ConfigurationDraft,
  before: readonly Pick<ConfigurationDraft, 'kernel' | 'serverDataDir'>[],
): readonly Problem[] {
  const findings = before.flatMap((one) => placementFindings(kernel, protectedPaths(one.kernel, one.serverDataDir, file.path)))
  return [...new Map(findings.map(({ path, message }) => [path, { path, message }])).values()]
}

/** The references that the changes must not add. */
async function foreignReferences(
  file: ConfigurationFile,
  asked: readonly Change[],
  options: ConfigurationEditorOptions,
): Promise<readonly Finding[]> {
  const { origin, discover } = options
  const changed = withChanges(file.value, asked)
  const judge = (schema: SchemaNode | undefined): readonly Finding[] => addedReferences(file, changed, schema, options)
  const suspects = judge(undefined)
  if (suspects.length === 0) return []
  const draft = draftOf(file, without(asked, suspects), origin)
  const plugins = await discover(draft, draftConfiguration(file, origin))
  return judge(
    composeSchema(
      plugins.map(({ manifest }) => manifest),
      draft.kernel.plugins.disabled,
    ).schema,
  )
}

const addedReferences = (
  file: ConfigurationFile,
  changed: JsonObject,
  schema: SchemaNode | undefined,
  { newReferences }: ConfigurationEditorOptions,
): readonly Finding[] => (newReferences === undefined ? [] : refusedReferences(file.value, changed, { ...newReferences, schema }))

const without = (changes: readonly Change[], findings: readonly Finding[]): readonly Change[] =>
  changes.filter((change) => !findings.some((finding) => begins(change.path, finding.path)))

const draftOf = (file: ConfigurationFile, changes: readonly Change[], origin: ConfigurationEditorOptions['origin']): ConfigurationDraft =>
  draftConfiguration({ ...file, value: withChanges(file.value, changes), positionOf: placesBeside(file, changes) }, origin)

/**
 * Positions in the current file: values that the patch sets, or that are not in the file, have
 * none.
 */
const placesBeside =
  (file: ConfigurationFile, changes: readonly Change[]): ConfigurationFile['positionOf'] =>
  (path, which) =>
    changes.some((change) => begins(change.path, path)) || !isKnown(file.value, path) ? undefined : file.positionOf(path, which)

/**
 * The changed paths that variables override: a variable may set the path, an object around it, or a
 * part of it.
 */
function lockedPaths(changes: readonly Change[], values: readonly EnvironmentValue[]): readonly LockedPath[] {
  const locked = values.flatMap(({ path: set, variable }) =>
    changes.flatMap(({ path }): readonly LockedPath[] => {
      if (begins(set, path)) return [{ path: formatPath(path), variable }]
      return begins(path, set) ? [{ path: formatPath(set), variable }] : []
    }),
  )
  return locked.sort((one, other) => (one.path < other.path ? -1 : one.path > other.path ? 1 : 0))
}

const isKnown = (value: JsonObject, path: ValuePath): boolean => valueAt(value, path.slice(0, -1)) !== undefined
