import { listTestFiles, readsRecordings, runsAlone } from './test-files.mjs'

/**
 * How many files share a process. Loading a package takes about a second, so few processes are
 * cheap, but many keep every core busy to the end. The files of `test` start services, which takes
 * long.
 */
const filesPerProcess = { test: 7 }
const ordinaryFilesPerProcess = 24

/**
 * Divides the tests of the packages into processes: `beside` may run beside each other and come in
 * the order in which they should start, the long ones first; `alone` run after them, one at a time.
 * Each is `{ folder, files }`, its files relative to the root. The division depends on the names of
 * the files only, so that it is the same each time.
 */
export function planTests(root, packages, { recordings }) {
  const beside = []
  const alone = []
  for (const folder of packages) {
    const files = listTestFiles(root, folder).filter((file) => recordings || !readsRecordings(file))
    const apart = files.filter(runsAlone)
    const others = files.filter((file) => !runsAlone(file))
    beside.unshift(...divide(folder, others))
    if (apart.length > 0) alone.push({ folder, files: apart })
  }
  return { beside, alone }
}

/**
 * Distributes the files evenly. Neighbours in a folder are similar, so they go to different
 * processes.
 */
function divide(folder, files) {
  const count = Math.ceil(files.length / (filesPerProcess[folder] ?? ordinaryFilesPerProcess))
  return Array.from({ length: count }, (_, part) => ({ folder, files: files.filter((_file, index) => index % count === part) }))
}
