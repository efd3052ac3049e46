import { configurationInvalidError, formatProblem } from '@agent-service/kernel-core/config'
import type { Examination } from '@agent-service/kernel-core/config/effective'
import { valueAt } from '@agent-service/kernel-core/config/effective'
import { parsePath } from '@agent-service/kernel-core/config/schema'
import { effectiveValues, explainFields, type FieldExplanation, fileSchema } from '@agent-service/kernel-settings/explain'
import { examineInstallation } from '@agent-service/kernel-settings/installation'
import { createInstallationEditor } from '@agent-service/kernel-settings/save'
import { tableLines } from '../../terminal/table.js'
import { type Line, styled } from '../../terminal/terminal.js'
import type { Outcome, OutputOptions } from '../command-action.js'
import { exitStatus } from '../exit-status.js'
import type { Invocation } from '../invocation.js'
import { unknownPath } from './read-assignments.js'

/** Added when values are shown although the service would not start with them. */
const doesNotStart = 'The service does not start with this configuration: see “agent-service config check”.'

/**
 * Reports every problem and warning of the configuration. Opens no database and no port, runs no
 * plugin.
 */
export async function checkConfiguration({ environment, workingDirectory, installation }: Invocation): Promise<Outcome> {
  const editor = createInstallationEditor({ ...installation, environment, workingDirectory })
  const { path, exists, revision } = await editor.read()
  const { problems, warnings, overlaps } = await editor.check()
  const count = problems.length === 1 ? 'one problem' : `${problems.length} problems`
  return {
    status: problems.length > 0 ? exitStatus.configuration : exitStatus.done,
    json: { file: path, exists, revision, problems, warnings, overlaps },
    lines: [
      `File: ${exists ? path : `${path} (does not exist: all defaults)`}`,
      ...problems.map((problem) => styled('red', `  problem  ${formatProblem(problem)}`)),
      ...warnings.map((warning) => styled('yellow', `  warning  ${warning}`)),
      ...overlaps.map((overlap) => `  overlap  ${overlap.path}: “${overlap.custom}” overrides the typed setting “${overlap.typed}”`),
      problems.length === 0
        ? styled('green', 'The service starts with this configuration.')
        : `The service does not start with this configuration: ${count}.`,
    ],
  }
}

/**
 * Prints the JSON Schema of the configuration file, with the sections and settings of all installed
 * plugins. While the file cannot be read, only the built-in plugins are included: the schema is
 * needed most to fix the file.
 */
export async function printSchema({ terminal, environment, workingDirectory, installation }: Invocation): Promise<Outcome> {
  const options = { ...installation, environment, workingDirectory }
  const { examination } = await examineInstallation(options).catch((error: unknown) => {
    if (!configurationInvalidError.isInstance(error)) throw error
    return examineInstallation(options, { candidate: '' })
  })
  terminal.line(JSON.stringify(fileSchema(examination.schema), null, 2))
  return {}
}

/**
 * Prints an effective value: text as it is, everything else as JSON. For a secret, only whether it
 * is set.
 */
export async function getValue(
  { environment, workingDirectory, installation }: Invocation,
  path: string,
  options: OutputOptions,
): Promise<Outcome> {
  const { examination } = await examineInstallation({ ...installation, environment, workingDirectory })
  const fields = explainedAt(examination, path)
  if (fields === undefined) return unknown(path, examination)
  const value = valueAt(effectiveValues(examination), parsePath(path) ?? [])
  const field = fields.find((candidate) => candidate.path === path)
  const reference = field?.reference
  const validity = validityOf(examination)
  const notes = [
    ...(value === undefined ? [`${path} is not set and has no default.`] : []),
    ...(reference === undefined ? [] : [`The file has ${path} as ${reference}.`]),
  ]
  return {
    status: validity.status === exitStatus.done && value === undefined ? exitStatus.failed : validity.status,
    json: { path, value: value ?? null, source: field?.source, place: field?.place, reference },
    lines: value === undefined ? [] : [field ? valueText(value, field.secret) : JSON.stringify(value, null, 2)],
    notes: [...(options.json === true ? [] : notes), ...validity.notes],
  }
}

/**
 * Shows where values come from: in a table, or for one path everything that is known; and which
 * variables set nothing. Exits with 78 if the configuration is invalid.
 */
export async function explainConfiguration(
  { terminal, environment, workingDirectory, installation }: Invocation,
  path: string | undefined,
): Promise<Outcome> {
  const { examination } = await examineInstallation({ ...installation, environment, workingDirectory })
  const fields = path === undefined ? (explainFields(examination) ?? []) : explainedAt(examination, path)
  if (fields === undefined) return unknown(path ?? '', examination)
  const validity = validityOf(examination)
  return {
    ...validity,
    notes: [...validity.notes, ...examination.evaluation.variableWarnings],
    json: fields.map(toJson),
    lines:
      path === undefined
        ? tableLines([['FIELD', 'VALUE', 'FROM', 'NOTE'], ...fields.map(rowOf)], { columns: terminal.columns(), whole: ['FIELD'] })
        : fields.flatMap((field, index) => [...(index === 0 ? [] : ['']), ...detailsOf(field)]),
  }
}

function explainedAt(examination: Examination, path: string): readonly FieldExplanation[] | undefined {
  const at = parsePath(path) ?? []
  const fields = at.length === 0 ? undefined : explainFields(examination, at)
  return fields !== undefined && fields.length > 0 ? fields : undefined
}

const unknown = (path: string, examination: Examination): Outcome => ({
  status: exitStatus.usage,
  notes: [unknownPath(path, examination)],
})

/** The exit status and notes of a command that shows values, also of an invalid configuration. */
const validityOf = ({ problems }: Examination): { readonly status: number; readonly notes: readonly string[] } =>
  problems.length === 0 ? { status: exitStatus.done, notes: [] } : { status: exitStatus.configuration, notes: [doesNotStart] }

/** A value in one line for people; for a secret, whether it is set. */
function valueText(value: FieldExplanation['value'], secret: boolean): string {
  if (value === undefined) return '—'
  if (secret && typeof value === 'object' && value !== null && 'is_set' in value) return value['is_set'] === true ? 'set' : 'not set'
  return typeof value === 'string' ? value : JSON.stringify(value)
}

const maxValueLength = 60

/** Notes only for values that are set; `config explain <path>` shows the others. */
function rowOf(field: FieldExplanation): readonly string[] {
  const { path, saved, secret, lockedBy, reference, notes, problems } = field
  const value = valueText(field.value, secret)
  const overridden = lockedBy === undefined || saved === undefined ? '' : `, overrides ${valueText(saved, secret)} in the file`
  return [
    path,
    value.length > maxValueLength ? `${value.slice(0, maxValueLength - 1)}…` : value,
    `${originOf(field)}${reference === undefined ? '' : ` ${reference}`}${overridden}`,
    [...problems.map((problem) => `PROBLEM: ${problem}`), ...(field.source === 'default' ? [] : notes)].join(' '),
  ]
}

const originOf = ({ source, place = '' }: FieldExplanation): string =>
  source === 'default' ? 'default' : source === 'file' ? `file ${place}`.trim() : place

function detailsOf(field: FieldExplanation): readonly Line[] {
  const { value, saved, secret, lockedBy, reference, notes, problems } = field
  const rows: readonly (readonly [string, string])[] = [
    ['value', valueText(value, secret)],
    ['from', originOf(field)],
    ...(reference === undefined ? [] : [['reference', reference] as const]),
    ...(saved === undefined ? [] : [['file has', valueText(saved, secret)] as const]),
    ...(lockedBy === undefined ? [] : [['locked by', `${lockedBy}; the value in the file takes effect once it is unset`] as const]),
    ['default', field.default === undefined ? (field.defaultText ?? 'none') : valueText(field.default, false)],
    ['type', `${field.type}${field.unit === '' ? '' : `, in ${field.unit}`}${secret ? ', secret' : ''}`],
    ['variable', field.variable],
    ['owner', field.owner],
    ...notes.map((note) => ['note', note] as const),
    ...problems.map((problem) => ['problem', problem] as const),
  ]
  return [
    styled('bold', field.path),
    ...(field.description === '' ? [] : [`  ${field.description}`]),
    ...rows.map(([name, text]) => `  ${name.padEnd(10)} ${text}`),
  ]
}

const toJson = ({ lockedBy, defaultText, ...field }: FieldExplanation) => ({
  ...field,
  ...(lockedBy === undefined ? {} : { locked_by: lockedBy }),
  ...(defaultText === undefined ? {} : { default_text: defaultText }),
})
