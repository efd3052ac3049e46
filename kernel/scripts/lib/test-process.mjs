import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { runForResult } from './run-for-result.mjs'
import { compiledTest, isWebTest } from './test-files.mjs'
import { repositoryRoot } from './workspaces.mjs'

const reporter = fileURLToPath(new URL('./test-reporter.mjs', import.meta.url))
const mocha = path.join(repositoryRoot, 'node_modules/mocha/bin/mocha.js')

/** The longest time of a process; the planned work takes a small part of it. */
const limitMs = 12 * 60_000

/** Less time in the collector of garbage, for more memory. */
const roomyHeap = ['--max-semi-space-size=32']

/**
 * Runs compiled test files of one package in their own process. Resolves with the `files` in their
 * order (`{ file, isWhole, passed, failures: [{ title, message }] }`, `isWhole` if each of its tests
 * ended), the time, the output, and `problem`: what went wrong beside failed tests (it crashed, hung
 * or failed at its end), and `current`, the file whose tests ran then, as far as that is known, or
 * `atEnd` if all tests had ended. Those that run alone may measure the memory of their process, which has the heap of any other then.
 */
export async function runTestProcess(root, { folder, files }, { fixturesFolder, verbose, gate, isAlone }) {
  const started = Date.now()
  const compiled = new Map(files.map((file) => [path.join(root, compiledTest(folder, file)), file]))
  const argumentsFor = (resultFile) => [
    ...[...(isAlone ? [] : roomyHeap), mocha, '--timeout', '60000', '--forbid-only', '--forbid-pending', '--reporter', reporter],
    ...Object.entries({ result: resultFile, limitMs, verbose }).flatMap(([name, value]) => ['--reporter-option', `${name}=${value}`]),
    ...(process.stdout.isTTY === true ? ['--color'] : []),
    ...compiled.keys(),
  ]
  const outcome = await runForResult(argumentsFor, {
    cwd: path.join(root, folder),
    // Who runs one test of the console sees its screens in all looks.
    env: { FIXTURES_DIR: fixturesFolder, ...(verbose ? {} : { CONSOLE_LOOKS: gate ? 'one' : 'two' }) },
    timeoutMs: limitMs + 10_000,
  })
  const results = new Map(outcome.result?.files.map((each) => [compiled.get(each.file), each]))
  return {
    folder,
    files: files.map((file) => ({ ...(results.get(file) ?? withoutTests(outcome)), file })),
    elapsedMs: Date.now() - started,
    output: outcome.output,
    problem: problemOf(outcome) ?? silentProblem(folder, files, results),
    current: compiled.get(outcome.result?.current),
    atEnd: outcome.result?.hasEnded === true,
  }
}

/** A built test that Mocha found nothing in, such as one that was built from something else, would never fail. */
function silentProblem(folder, files, results) {
  const silent = files.filter((file) => isWebTest(folder, file) && !results.has(file))
  return silent.length === 0 ? undefined : `${silent.join(', ')} ran no test`
}

/** The result of a file that the process did not name: it has no tests, unless the process ended before it read the file. */
const withoutTests = ({ result }) => ({ isWhole: result !== undefined, passed: 0, failures: [] })

function problemOf({ timedOut, result, signal, code }) {
  if (timedOut) return 'it did not end in time and was killed'
  if (result?.hasEnded !== true) return `it ended before its tests did (${signal ?? `status ${code}`})`
  if (result.stillOpen !== undefined) return `what its tests opened kept it alive (${result.stillOpen})`
  return code === statusFor(result.failed) ? undefined : `it failed after its tests (${signal ?? `status ${code}`})`
}

/** The status with which Mocha ends after so many failures. */
const statusFor = (failed) => Math.min(failed, 255)
