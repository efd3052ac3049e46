import { explainFields } from '../../config/explain/index.js'
import { parsePath } from '../../config/index.js'
import { examineInstallation } from '../../installation/examine-installation.js'
import { exitStatus } from '../exit-status.js'
import type { Place } from '../place.js'
import { readAssignments } from './read-assignments.js'
import { savePatch } from './save-patch.js'

/** Writes values into the file. What does not hold is refused with every problem, and nothing is written. */
export async function configSetCommand(
  place: Place & { readonly words: readonly string[]; readonly options: { readonly json?: boolean } },
): Promise<number> {
  const { terminal, environment, workingDirectory, installation, words } = place
  const { examination } = await examineInstallation({ ...installation, environment, workingDirectory })
  const read = readAssignments(words, examination)
  if ('problem' in read) {
    terminal.problem(read.problem)
    return exitStatus.usage
  }
  const holdsSecret = (path: string): boolean => explainFields(examination, parsePath(path) ?? [])?.some(({ secret }) => secret) ?? true
  const shown = (path: string): string => (holdsSecret(path) ? '(not shown)' : JSON.stringify(read.values[path]))
  return savePatch(place, { set: read.values }, shown, 'config set')
}
