import { setImmediate } from 'node:timers/promises'
import type { JsonObject, Problem } from '@agent-service/sdk'
import { largestConfiguration } from '../configuration-bytes.js'
import { type ConfigurationFile, presentConfigurationFile } from '../configuration-file.js'
import type { ValuePath } from '../dotted-path.js'
import { spliceYaml, textOf } from '../edit/splice-yaml.js'
import type { Source } from '../edit/yaml-nodes.js'
import type { Examination } from '../examination.js'
import { draftConfiguration } from '../load-configuration.js'
import { valueAt } from '../resolve-paths.js'
import { checkChanges } from './check-changes.js'
import type { ConfigurationEditorOptions, ConfigurationPatch, LockedPath } from './configuration-editor.js'
import { lockedPaths } from './locked-paths.js'
import { planChange, withChanges } from './plan-change.js'
import { type Change, readPatch } from './read-patch.js'

/** What a patch makes of a text. */
export interface PreparedChange {
  /** The new text; the old one where there are problems. */
  readonly source: Source
  readonly problems: readonly Problem[]
  readonly locked: readonly LockedPath[]
  /** Of the configuration with the change. */
  readonly examination: Examination
}

/**
 * Works out the text that a patch leads to and judges the configuration that it would be: first the values alone, then, as the start would read it,
 * the text. Writes nothing. Between its steps others have their turn, since each takes long for a large file.
 */
export async function prepareChange(
  file: ConfigurationFile,
  source: Source,
  patch: ConfigurationPatch,
  { origin, discover }: ConfigurationEditorOptions,
): Promise<PreparedChange> {
  const { changes, problems } = readPatch(patch)
  const changed = withChanges(file.value, changes)
  const draft = draftConfiguration({ ...file, value: changed, positionOf: placesBeside(file, changes) }, origin)
  const plugins = await discover(draft.kernel.plugins.sources)
  const examination = await draft.examine(plugins)
  const found = [...problems, ...checkChanges(examination.schema, file.value, changed, changes)]
  const told = new Set(found.map(({ path }) => path))
  const refused = [...found, ...examination.problems.filter(({ path }) => !told.has(path))]
  const locked = lockedPaths(changes, examination.evaluation.environmentValues)
  const refuse = (reasons: readonly Problem[]): PreparedChange => ({ source, problems: reasons, locked, examination })

  const operations = refused.length > 0 ? [] : planChange(file.value, changes, examination)
  if (operations.length === 0) return refuse(refused)
  await setImmediate()
  const spliced = spliceYaml(source, operations)
  if ('problems' in spliced) return refuse(spliced.problems)
  const bytes = Buffer.from(textOf(spliced), 'utf8')
  if (bytes.length > largestConfiguration)
    return refuse([{ path: '', message: `would have ${bytes.length} bytes with this change; at most ${largestConfiguration} are read.` }])
  await setImmediate()
  const final = await draftConfiguration(presentConfigurationFile(file.path, bytes, spliced), origin).examine(plugins)
  return final.problems.length > 0 ? refuse(final.problems) : { source: spliced, problems: [], locked, examination: final }
}

/** Places in the file as it is: what the patch sets has none, and neither has what the file does not hold. */
const placesBeside =
  (file: ConfigurationFile, changes: readonly Change[]): ConfigurationFile['positionOf'] =>
  (path, which) =>
    changes.some((change) => begins(change.path, path)) || !isKnown(file.value, path) ? undefined : file.positionOf(path, which)

const begins = (path: ValuePath, other: ValuePath): boolean => path.every((part, index) => part === other[index])

const isKnown = (value: JsonObject, path: ValuePath): boolean => valueAt(value, path.slice(0, -1)) !== undefined
