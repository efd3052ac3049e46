import { explainFields, type FieldExplanation } from '../../config/explain/index.js'
import { examineInstallation } from '../../installation/examine-installation.js'
import { exitStatus } from '../exit-status.js'
import type { Place } from '../place.js'
import { tableLines } from '../table.js'
import { explainedAt, valueText } from './explained-path.js'

/** Said where values are shown although the service would not start with them. */
export const doesNotStart = 'The service does not start with this configuration: see “agent-service config check”.'

/** Says where values come from: in a table, or for one path everything that is known. Ends with 78 when the configuration does not hold. */
export async function configExplainCommand(
  place: Place & { readonly path: string | undefined; readonly options: { readonly json?: boolean } },
): Promise<number> {
  const { terminal, environment, workingDirectory, installation, path, options } = place
  const { examination } = await examineInstallation({ ...installation, environment, workingDirectory })
  const fields = path === undefined ? (explainFields(examination) ?? []) : explainedAt(examination, path, terminal)
  if (fields === undefined) return exitStatus.usage
  if (options.json === true) terminal.line(JSON.stringify(fields.map(toJson), null, 2))
  else if (path === undefined)
    for (const line of tableLines([['FIELD', 'VALUE', 'FROM', 'NOTE'], ...fields.map(rowOf)])) terminal.line(line)
  else terminal.line(fields.map((field) => detailsOf(field, terminal.style).join('\n')).join('\n\n'))
  if (examination.problems.length === 0) return exitStatus.done
  terminal.problem(doesNotStart)
  return exitStatus.configuration
}

const longestValue = 60

/** Notes only of what is set: what else has no effect is said when it is asked for by its path. */
function rowOf(field: FieldExplanation): readonly string[] {
  const { path, saved, secret, lockedBy, reference, notes, problems } = field
  const value = valueText(field.value, secret)
  const overridden = lockedBy === undefined || saved === undefined ? '' : `, over ${valueText(saved, secret)} in the file`
  return [
    path,
    value.length > longestValue ? `${value.slice(0, longestValue - 1)}…` : value,
    `${originOf(field)}${reference === undefined ? '' : ` ${reference}`}${overridden}`,
    [...problems.map((problem) => `PROBLEM: ${problem}`), ...(field.source === 'default' ? [] : notes)].join(' '),
  ]
}

const originOf = ({ source, place = '' }: FieldExplanation): string =>
  source === 'default' ? 'default' : source === 'file' ? `file ${place}`.trim() : place

function detailsOf(field: FieldExplanation, style: Place['terminal']['style']): readonly string[] {
  const { value, saved, secret, lockedBy, reference, notes, problems } = field
  const rows: readonly (readonly [string, string])[] = [
    ['value', valueText(value, secret)],
    ['from', originOf(field)],
    ...(reference === undefined ? [] : [['reference', reference] as const]),
    ...(saved === undefined ? [] : [['file has', valueText(saved, secret)] as const]),
    ...(lockedBy === undefined ? [] : [['locked by', `${lockedBy}; a change of the file takes effect once it is gone`] as const]),
    ['default', field.default === undefined ? (field.defaultText ?? 'none') : valueText(field.default, false)],
    ['type', `${field.type}${field.unit === '' ? '' : `, in ${field.unit}`}${secret ? ', secret' : ''}`],
    ['variable', field.variable],
    ['owner', field.owner],
    ...notes.map((note) => ['note', note] as const),
    ...problems.map((problem) => ['problem', problem] as const),
  ]
  return [
    style('bold', field.path),
    ...(field.description === '' ? [] : [`  ${field.description}`]),
    ...rows.map(([name, text]) => `  ${name.padEnd(10)} ${text}`),
  ]
}

const toJson = ({ lockedBy, defaultText, ...field }: FieldExplanation) => ({
  ...field,
  ...(lockedBy === undefined ? {} : { locked_by: lockedBy }),
  ...(defaultText === undefined ? {} : { default_text: defaultText }),
})
