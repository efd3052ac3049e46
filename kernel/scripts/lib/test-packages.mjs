import os from 'node:os'
import { formatDuration } from './progress.mjs'
import { runJobs } from './run-jobs.mjs'
import { runsAlone } from './test-files.mjs'
import { planTests } from './test-plan.mjs'
import { runTestProcess } from './test-process.mjs'

/**
 * How many processes run at a time. Tests also wait, for processes of theirs and for time, so that
 * one more than the number of cores keeps these busy; two more make tests of browsers wait too long.
 */
export const defaultConcurrency = os.availableParallelism() + 1

const heartbeatMs = 30_000

/**
 * Runs the tests of packages in several processes, `concurrency` at a time, after the jobs in
 * `first` (`{ title, run }`) have started; `selects` tells which of their files. Resolves with one result for each package that has tests
 * to run, in the order of the packages: its counts, the total `elapsedMs` of its processes,
 * `problems` (failures other than failed tests), the `output` to show, and the `outcomes` of its
 * processes. `onPackage` gets a result as soon as it is complete; `print` gets a line with the
 * progress from time to time.
 */
export async function runPackages(
  root,
  packages,
  { recordings, gate, selects, fixturesFolder, verbose, concurrency, first = [], onPackage, print },
) {
  const { beside, alone } = planTests(root, packages, { recordings, gate, selects })
  const planned = [...beside, ...alone]
  const outcomes = new Map()
  const finish = (folder, outcome) => {
    outcomes.set(folder, [...(outcomes.get(folder) ?? []), outcome])
    const isWhole = outcomes.get(folder).length === planned.filter((part) => part.folder === folder).length
    if (isWhole) onPackage?.(resultOf(folder, outcomes.get(folder), verbose))
  }
  const jobOf = (part) => ({
    title: part.folder,
    run: async () =>
      finish(part.folder, await runTestProcess(root, part, { fixturesFolder, verbose, gate, isAlone: part.files.every(runsAlone) })),
  })
  const progress = watchProgress(first.length + planned.length, print)
  try {
    await runJobs([...first, ...beside.map(jobOf)].map(progress.watched), concurrency)
    await runJobs(alone.map(jobOf).map(progress.watched), 1)
  } finally {
    progress.stop()
  }
  return packages.filter((folder) => outcomes.has(folder)).map((folder) => resultOf(folder, outcomes.get(folder), verbose))
}

/**
 * Reports from time to time which jobs run and how many have ended. `watched` wraps a job so that
 * it is counted.
 */
function watchProgress(count, print) {
  const running = new Set()
  const started = Date.now()
  let ended = 0
  const report = () => {
    const titles = [...running].map(({ title }) => title).join(', ')
    print?.(`… ${ended} of ${count} processes have ended after ${formatDuration(Date.now() - started)}, running: ${titles}`)
  }
  const timer = setInterval(report, heartbeatMs)
  return {
    watched: (job) => async () => {
      running.add(job)
      await job.run().finally(() => running.delete(job))
      ended += 1
    },
    stop: () => clearInterval(timer),
  }
}

/** The problem of a package that has test files without tests. */
export const noTests = 'it has test files but ran no tests'

/** Sums up the outcomes of a package's processes. */
function resultOf(folder, outcomes, verbose) {
  const counts = outcomes.map((outcome) => ({ outcome, ...countsOf(outcome.files) }))
  const sum = (name) => counts.reduce((total, each) => total + each[name], 0)
  const [passed, failed] = [sum('passed'), sum('failed')]
  const problems = outcomes.flatMap(({ problem }) => problem ?? [])
  if (passed + failed + problems.length === 0) problems.push(noTests)
  const shown = counts.filter((each) => verbose || each.failed > 0 || each.outcome.problem !== undefined)
  const elapsedMs = outcomes.reduce((total, outcome) => total + outcome.elapsedMs, 0)
  return { folder, passed, failed, elapsedMs, problems, output: shown.map(({ outcome }) => outcome.output).join(''), outcomes }
}

/** The tests of files that passed and failed. */
export function countsOf(files) {
  const sum = (countOf) => files.reduce((total, file) => total + countOf(file), 0)
  return { passed: sum(({ passed }) => passed), failed: sum(({ failures }) => failures.length) }
}
