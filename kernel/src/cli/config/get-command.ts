import { effectiveValues } from '../../config/explain/index.js'
import { parsePath, valueAt } from '../../config/index.js'
import { examineInstallation } from '../../installation/examine-installation.js'
import { exitStatus } from '../exit-status.js'
import type { Place } from '../place.js'
import { doesNotStart } from './explain-command.js'
import { explainedAt, valueText } from './explained-path.js'

/** Prints an effective value: text as it is, everything else as JSON. A secret is only said to be set or not. */
export async function configGetCommand(
  place: Place & { readonly path: string; readonly options: { readonly json?: boolean } },
): Promise<number> {
  const { terminal, environment, workingDirectory, installation, path, options } = place
  const { examination } = await examineInstallation({ ...installation, environment, workingDirectory })
  const fields = explainedAt(examination, path, terminal)
  if (fields === undefined) return exitStatus.usage
  const value = valueAt(effectiveValues(examination), parsePath(path) ?? [])
  const field = fields.find((candidate) => candidate.path === path)
  if (options.json === true) {
    const from = field && {
      source: field.source,
      ...(field.place === undefined ? {} : { place: field.place }),
      ...(field.reference === undefined ? {} : { reference: field.reference }),
    }
    terminal.line(JSON.stringify({ path, value: value ?? null, ...from }))
  } else if (value === undefined) terminal.problem(`${path} is not set and has no default.`)
  else terminal.line(field === undefined ? JSON.stringify(value, null, 2) : valueText(value, field.secret))
  if (options.json !== true && field?.reference !== undefined) terminal.problem(`${path} stands in the file as ${field.reference}.`)
  if (examination.problems.length > 0) {
    terminal.problem(doesNotStart)
    return exitStatus.configuration
  }
  return value === undefined ? exitStatus.failed : exitStatus.done
}
