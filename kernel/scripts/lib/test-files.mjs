import { readFileSync } from 'node:fs'
import path from 'node:path'
import { listFiles } from './workspaces.mjs'

const isTest = (file) => /\.test\.tsx?$/.test(file)

/** The test files of a package, relative to the root: those of what runs in Node, and those of what runs in browsers. */
export function listTestFiles(root, folder) {
  return [...listFiles(root, `${folder}/src`, isTest), ...listWebTestFiles(root, folder)]
}

/** The tests of components and of all else in the `web` folder of a package, relative to the root. */
export function listWebTestFiles(root, folder) {
  return listFiles(root, `${folder}/web`, isTest)
}

/** Whether a test file needs the page that tests of components make, which no other test may see. */
export const isWebTest = (folder, file) => file.startsWith(`${folder}/web/`)

/** The file that Node runs, relative to the root. The kit of screens is built with its tests. */
export function compiledTest(folder, file) {
  const built = file.replace(/\.tsx?$/, '.js')
  if (!isWebTest(folder, file)) return built.replace(`${folder}/src/`, `${folder}/dist/`)
  return built.replace(`${folder}/web/`, `${folder}/dist/${folder === 'sdk' ? 'web-kit' : 'web-tests'}/`)
}

/** Whether a test file reads recordings: its name says so (`answers.recordings.test.ts`). */
export function readsRecordings(file) {
  return marksOf(file).includes('recordings')
}

/**
 * What a test file is for beside the gate, as its name says (`crashing-runs.soak.test.ts`): it runs
 * with `npm run test:full`, and with every other one of its package.
 */
const beyondTheGate = ['alone', 'escapes', 'packaging', 'screens', 'soak', 'twins']

/** Whether a test file protects every change, so that `npm test` runs it. */
export function isInGate(file) {
  return !marksOf(file).some((mark) => beyondTheGate.includes(mark))
}

/**
 * Whether nothing may run beside a test file, since it measures, kills in numbers or fills the
 * machine: its name says so (`event-loop.soak.test.ts`, `bombs.escapes.alone.test.ts`).
 */
export function runsAlone(file) {
  return marksOf(file).some((mark) => mark === 'alone' || mark === 'soak')
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
export function marksOf(file) {
  return path.basename(file).split('.').slice(1, -2)
}
