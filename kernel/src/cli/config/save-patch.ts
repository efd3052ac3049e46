import { realpath } from 'node:fs/promises'
import { ServiceError } from '@agent-service/sdk'
import { parsePath, valueAt } from '../../config/index.js'
import type { ConfigurationPatch } from '../../config/save/index.js'
import { createInstallationEditor } from '../../config/save/index.js'
import { exitStatus } from '../exit-status.js'
import { noteCommand } from '../note-command.js'
import type { Place } from '../place.js'

/**
 * Saves a patch for a command, notes it for the audit log, and tells what happened: what stands in the file now,
 * where, what the file before is called, and what has no effect while a variable is set. `shown` gives a value of
 * the patch as it may be printed. @throws what the editor throws; with `--json`, problems of the patch are printed
 * as JSON first.
 */
export async function savePatch(
  place: Place & { readonly options: { readonly json?: boolean } },
  patch: ConfigurationPatch,
  shown: (path: string) => string,
  command: 'config set' | 'config reset',
): Promise<number> {
  const { terminal, environment, workingDirectory, installation, options } = place
  const editor = createInstallationEditor({ ...installation, environment, workingDirectory })
  const before = await editor.read()
  try {
    const result = await editor.save(patch, before.revision, {
      announce: ({ before: was, after, ...details }) =>
        noteCommand(place, command, { kind: 'configuration.changed', subjectId: null, before: was, after, details }),
    })
    if (options.json === true) {
      terminal.line(
        JSON.stringify(
          { file: before.path, ...result, ...(before.exists && result.changed ? { previous: await previousOf(before.path) } : {}) },
          null,
          2,
        ),
      )
      return exitStatus.done
    }
    const { saved } = await editor.read()
    terminal.line(result.changed ? `Saved to ${before.path}:` : `Nothing to change in ${before.path}:`)
    for (const path of [...Object.keys(patch.set ?? {}), ...(patch.reset ?? [])]) {
      const stands = valueAt(saved, parsePath(path) ?? []) !== undefined
      terminal.line(`  ${path}${stands ? ` = ${shown(path)}` : ': not in the file, so the default holds'}`)
    }
    if (!result.changed) return exitStatus.done
    if (before.exists) terminal.line(`The file as it was is ${await previousOf(before.path)}.`)
    terminal.line('It takes effect at the next start of the service.')
    for (const { path, variable } of result.locked)
      terminal.line(terminal.style('yellow', `${path} is set by ${variable} too, which wins until that variable is gone.`))
    return exitStatus.done
  } catch (error) {
    if (options.json === true && ServiceError.isInstance(error) && error.problems.length > 0)
      terminal.line(JSON.stringify({ code: error.code, problems: error.problems }, null, 2))
    throw error
  }
}

/** A symbolic link is followed: the file before lies beside the file itself. */
const previousOf = async (path: string): Promise<string> => `${await realpath(path)}.previous`
