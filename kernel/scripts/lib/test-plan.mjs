import { dearFiles, ordinarySeconds, undivided } from './test-costs.mjs'
import { isInGate, isWebTest, listTestFiles, readsRecordings, runsAlone } from './test-files.mjs'

/**
 * How long a process should take, in seconds, by the costs of its files. Loading a package and
 * starting its first service and its first browser take four seconds of a processor, so few
 * processes are cheap, but many keep every core busy to the end.
 */
const secondsPerProcess = 150

/**
 * Divides the tests of the packages into processes: `beside` may run beside each other and come in
 * the order in which they should start, the long ones first; `alone` run after them, one at a time.
 * Each is `{ folder, files }`, its files relative to the root; those of `web` are in processes of their own, which have a page. With `gate` the files beyond the gate are
 * left out, and so is what `selects` does not take. The division depends on the names of the files only, so that it is the same each time.
 * `costs` and `whole` stand for the tables of costs in a test.
 */
export function planTests(root, packages, { recordings, gate = false, selects = () => true, costs = dearFiles, whole = undivided }) {
  const beside = []
  const alone = []
  for (const folder of packages) {
    const runs = (file) => selects(file) && (recordings || !readsRecordings(file)) && (!gate || isInGate(file))
    const files = listTestFiles(root, folder).filter(runs)
    const apart = files.filter(runsAlone)
    const others = files.filter((file) => !runsAlone(file))
    const secondsOf = (file) => costs[file] ?? ordinarySeconds(folder)
    const isOfWeb = (file) => isWebTest(folder, file)
    const how = { secondsOf, isWhole: whole.includes(folder) }
    beside.push(
      ...divide(
        folder,
        others.filter((file) => !isOfWeb(file)),
        how,
      ),
      ...divide(folder, others.filter(isOfWeb), how),
    )
    // Each its own process: what it measures is its own.
    alone.push(...apart.map((file) => ({ folder, files: [file] })))
  }
  beside.sort((one, other) => other.seconds - one.seconds)
  return { beside: beside.map(({ folder, files }) => ({ folder, files })), alone }
}

/** Gives each file, the dear ones first, to the process that has least to do. */
function divide(folder, files, { secondsOf, isWhole }) {
  const total = files.reduce((sum, file) => sum + secondsOf(file), 0)
  const count = isWhole ? Math.min(1, files.length) : Math.ceil(total / secondsPerProcess)
  const parts = Array.from({ length: count }, () => ({ folder, files: [], seconds: 0 }))
  for (const file of [...files].sort((one, other) => secondsOf(other) - secondsOf(one))) {
    const part = parts.reduce((least, each) => (each.seconds < least.seconds ? each : least))
    part.files.push(file)
    part.seconds += secondsOf(file)
  }
  return parts
}
