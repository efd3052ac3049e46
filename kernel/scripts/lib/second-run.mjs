import { formatDuration } from './progress.mjs'
import { runsAlone } from './test-files.mjs'
import { countsOf, noTests } from './test-packages.mjs'
import { runTestProcess } from './test-process.mjs'

/** More unstable files than that are a failure of the run: such a suite tells nothing. */
export const maxUnstable = 12

/** From more files on, what failed has a common cause, which a second run would only show again. */
const maxRepeated = 100

/**
 * The second run before a verdict: runs each file with failed tests once more, alone, and so those
 * that did not end because their process crashed or hung. Resolves with the `results` after it and
 * the `unstable` files: those that passed now, as `{ name, reason }` with what they failed of first.
 * What fails again has failed. `print` gets a line as each file begins and ends.
 */
export async function runFailedAgain(root, results, { fixturesFolder, verbose, gate, print }) {
  const count = results.flatMap(({ outcomes }) => outcomes.flatMap(filesToRepeat)).length
  if (count === 0) return { results, unstable: [] }
  if (count > maxRepeated) {
    print(`${count} test files failed or did not end, more than ${maxRepeated}: they are not run again.`)
    return { results, unstable: [] }
  }
  print(`Running ${count} test ${count === 1 ? 'file' : 'files'} once more, each alone …`)
  const repeat = async (folder, file) => {
    const outcome = await runTestProcess(root, { folder, files: [file] }, { fixturesFolder, verbose, gate, isAlone: runsAlone(file) })
    const { passed, failed } = countsOf(outcome.files)
    const isGood = failed === 0 && outcome.problem === undefined
    print(`${isGood ? '✓' : '✗'} ${file}: ${passed} passed, ${failed} failed (${formatDuration(outcome.elapsedMs)})`)
    if (verbose || !isGood) print(outcome.output.trimEnd())
    return outcome
  }
  const settled = []
  const unstable = []
  for (const result of results) {
    const repeats = []
    for (const outcome of result.outcomes) {
      const pairs = []
      for (const first of filesToRepeat(outcome)) pairs.push({ first, second: await repeat(result.folder, first.file) })
      unstable.push(...unstableOf(outcome, pairs))
      repeats.push(...pairs)
    }
    settled.push(settle(result, repeats))
  }
  return { results: settled, unstable }
}

/**
 * The files of a process that have to run again. Which of them broke the end of a process after its
 * tests is not known, so that all of them run again.
 */
function filesToRepeat({ files, problem, atEnd }) {
  const bad = files.filter(({ isWhole, failures }) => !isWhole || failures.length > 0)
  return problem !== undefined && (atEnd || bad.length === 0) ? files : bad
}

/** What failed in a process and passed in the second run. */
function unstableOf({ folder, problem, current }, pairs) {
  const files = pairs
    .filter((pair) => pair.first.failures.length > 0 && isGood(pair))
    .map(({ first }) => ({ name: first.file, reason: reasonOf(first.failures[0]) }))
  if (problem === undefined || !pairs.every(isGood)) return files
  const name = current ?? folder
  return files.some((file) => file.name === name) ? files : [...files, { name, reason: problem }]
}

const isGood = (pair) => secondProblem(pair) === undefined && countsOf(pair.second.files).failed === 0

const reasonOf = ({ title, message }) => `${title}: ${message}`

/** What is wrong with a second run beside failed tests. It may not pass because it runs less. */
function secondProblem({ first, second }) {
  if (second.problem !== undefined) return second.problem
  const { passed, failed } = countsOf(second.files)
  const expected = Math.max(first.passed, first.failures.length > 0 ? 1 : 0)
  return passed + failed < expected ? `it ran only ${passed + failed} tests the second time` : undefined
}

/** The result of a package in which the second run of files stands in place of their first. */
function settle(result, pairs) {
  if (pairs.length === 0) return result
  const repeated = new Set(pairs.map(({ first }) => first.file))
  const kept = result.outcomes.flatMap(({ files }) => files).filter(({ file }) => !repeated.has(file))
  const { passed, failed } = countsOf([...kept, ...pairs.flatMap(({ second }) => second.files)])
  const problems = pairs.flatMap((pair) => {
    const problem = secondProblem(pair)
    return problem === undefined ? [] : [`${pair.first.file}: ${problem}`]
  })
  if (passed + failed + problems.length === 0) problems.push(noTests)
  const elapsedMs = pairs.reduce((total, { second }) => total + second.elapsedMs, result.elapsedMs)
  return { ...result, passed, failed, problems, elapsedMs }
}
