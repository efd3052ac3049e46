import { readFileSync } from 'node:fs'
import path from 'node:path'
import { listFiles } from './workspaces.mjs'

/** The test files of a package, relative to the root. */
export function listTestFiles(root, folder) {
  return listFiles(root, `${folder}/src`, (file) => /\.test\.tsx?$/.test(file))
}

/** Whether a test file reads recordings: its name says so (`answers.recordings.test.ts`). */
export function readsRecordings(file) {
  return marksOf(file).includes('recordings')
}

/**
 * Whether a test file measures the event loop, memory or time, so that nothing may run beside it:
 * its name says so (`event-loop.alone.test.ts`).
 */
export function runsAlone(file) {
  return marksOf(file).includes('alone')
}

/**
 * Counts the tests in these files by their text: the number to report for tests that cannot run.
 */
export function countTests(root, files) {
  let count = 0
  for (const file of files) count += readFileSync(path.join(root, file), 'utf8').match(/^\s*it\(/gm)?.length ?? 0
  return count
}

/** The words between the name of a file and `.test.ts`. */
function marksOf(file) {
  return path.basename(file).split('.').slice(1, -2)
}
