import { formatProblem } from '../../config/index.js'
import { createInstallationEditor } from '../../config/save/index.js'
import { exitStatus } from '../exit-status.js'
import type { Place } from '../place.js'

/** Tells everything that is wrong with the configuration and what is worth knowing. Opens no database and no port, runs no plugin. */
export async function configCheckCommand(place: Place & { readonly options: { readonly json?: boolean } }): Promise<number> {
  const { terminal, environment, workingDirectory, installation, options } = place
  const editor = createInstallationEditor({ ...installation, environment, workingDirectory })
  const { path, exists, revision } = await editor.read()
  const { problems, warnings, overlaps } = await editor.check()
  const status = problems.length > 0 ? exitStatus.configuration : exitStatus.done
  if (options.json === true) {
    terminal.line(JSON.stringify({ file: path, exists, revision, problems, warnings, overlaps }, null, 2))
    return status
  }
  terminal.line(`File: ${exists ? path : `${path} (not there: all defaults)`}`)
  for (const problem of problems) terminal.line(terminal.style('red', `  problem  ${formatProblem(problem)}`))
  for (const warning of warnings) terminal.line(terminal.style('yellow', `  warning  ${warning}`))
  for (const { path: at, typed, custom } of overlaps) terminal.line(`  overlap  ${at}: “${custom}” overrides the typed setting “${typed}”`)
  terminal.line(
    problems.length === 0
      ? terminal.style('green', 'The service starts with this configuration.')
      : `The service does not start with this configuration: ${problems.length === 1 ? 'one problem' : `${problems.length} problems`}.`,
  )
  return status
}
