import { realpath } from 'node:fs/promises'
import { valueAt } from '@agent-service/kernel-core/config/effective'
import { parsePath } from '@agent-service/kernel-core/config/schema'
import { explainFields } from '@agent-service/kernel-settings/explain'
import { examineInstallation } from '@agent-service/kernel-settings/installation'
import type { ConfigurationPatch } from '@agent-service/kernel-settings/save'
import { createInstallationEditor } from '@agent-service/kernel-settings/save'
import { ServiceError } from '@agent-service/sdk'
import { styled } from '../../terminal/terminal.js'
import { visibleJson } from '../../terminal/visible-text.js'
import type { Outcome, OutputOptions } from '../command-action.js'
import { exitStatus } from '../exit-status.js'
import type { Invocation } from '../invocation.js'
import { noteCommand } from '../note-command.js'
import { readAssignments } from './read-assignments.js'

/**
 * Writes values into the file. An invalid one is refused with every problem, and nothing is
 * written.
 */
export async function setValues(invocation: Invocation, words: readonly string[], options: OutputOptions): Promise<Outcome> {
  const { terminal, environment, workingDirectory, installation } = invocation
  const { examination } = await examineInstallation({ ...installation, environment, workingDirectory })
  const read = readAssignments(words, examination)
  if ('problem' in read) {
    terminal.problem(read.problem)
    return { status: exitStatus.usage }
  }
  const holdsSecret = (path: string): boolean => explainFields(examination, parsePath(path) ?? [])?.some(({ secret }) => secret) ?? true
  const shown = (path: string): string => (holdsSecret(path) ? '(not shown)' : JSON.stringify(read.values[path]))
  return savePatch(invocation, { set: read.values }, { shown, command: 'config set', options })
}

/**
 * Removes values from the file. A path that is not in the file is ignored; one that is not a field
 * can be removed, too.
 */
export const resetValues = (invocation: Invocation, paths: readonly string[], options: OutputOptions): Promise<Outcome> =>
  savePatch(invocation, { reset: paths }, { shown: () => '', command: 'config reset', options })

/**
 * Saves a patch, notes it for the audit log, and reports the new values in the file, the name of
 * the previous file, and values that have no effect while a variable is set. `shown` returns a
 * value of the patch as it may be printed.
 * @throws what the editor throws; with `--json`, problems of the patch are printed as JSON first.
 */
async function savePatch(
  invocation: Invocation,
  patch: ConfigurationPatch,
  {
    shown,
    command,
    options,
  }: { readonly shown: (path: string) => string; readonly command: 'config set' | 'config reset'; readonly options: OutputOptions },
): Promise<Outcome> {
  const { terminal, environment, workingDirectory, installation } = invocation
  const editor = createInstallationEditor({ ...installation, environment, workingDirectory })
  const before = await editor.read()
  const result = await editor
    .save(patch, before.revision, {
      announce: ({ before: was, after, ...details }) =>
        noteCommand(invocation, command, { kind: 'configuration.changed', subjectId: null, before: was, after, details }),
    })
    .catch((error: unknown) => {
      if (options.json === true && ServiceError.isInstance(error) && error.problems.length > 0)
        terminal.line(visibleJson({ code: error.code, problems: error.problems }, 2) ?? '')
      throw error
    })
  const previous = before.exists && result.changed ? await previousOf(before.path) : undefined
  const { saved } = await editor.read()
  const now = (path: string): string =>
    valueAt(saved, parsePath(path) ?? []) === undefined ? ': not in the file, so the default applies' : ` = ${shown(path)}`
  const effects = [
    ...(previous === undefined ? [] : [`The previous file is ${previous}.`]),
    'The change takes effect at the next start of the service.',
    ...result.locked.map(({ path, variable }) =>
      styled('yellow', `${path} is also set by ${variable}, which takes precedence until it is unset.`),
    ),
  ]
  return {
    json: { file: before.path, ...result, ...(previous === undefined ? {} : { previous }) },
    lines: [
      result.changed ? `Saved to ${before.path}:` : `Nothing to change in ${before.path}:`,
      ...[...Object.keys(patch.set ?? {}), ...(patch.reset ?? [])].map((path) => `  ${path}${now(path)}`),
      ...(result.changed ? effects : []),
    ],
  }
}

/** Follows a symbolic link: the previous file is beside the file itself. */
const previousOf = async (path: string): Promise<string> => `${await realpath(path)}.previous`
