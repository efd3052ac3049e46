import { readJson } from './workspaces.mjs'

/** About how many seconds a test file of a package takes that is not listed. Those of `test` start services. */
export function ordinarySeconds(folder) {
  return folder === 'test' ? 2 : 0.4
}

/**
 * Packages whose tests stay in one process: those of the sandbox share the control groups and users
 * of the machine.
 */
export const undivided = ['plugins/sandbox-linux']

/**
 * Files that take longer, in seconds, while others run beside them. Only the balance between
 * processes depends on it. `kernel/scripts/test-costs.mjs` writes it from a measured run.
 */
export const dearFiles = readJson(new URL('./test-costs.json', import.meta.url))

/** The files, of all with their seconds, that take much longer than others of their package. */
export function dearOf(times) {
  const isDear = ([file, seconds]) => seconds > 2 * ordinarySeconds(file.slice(0, file.search(/\/(src|web)\//)))
  return [...times]
    .filter(isDear)
    .map(([file, seconds]) => [file, Math.round(seconds)])
    .sort(([one], [other]) => (one < other ? -1 : 1))
}
