import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { runForResult } from './run-for-result.mjs'
import { repositoryRoot } from './workspaces.mjs'

const reporter = fileURLToPath(new URL('./test-reporter.mjs', import.meta.url))
const mocha = path.join(repositoryRoot, 'node_modules/mocha/bin/mocha.js')

/** The longest time of a process; the planned work takes a small part of it. */
const limitMs = 12 * 60_000

/** Less time in the collector of garbage, for more memory. */
const roomyHeap = ['--max-semi-space-size=32']

/**
 * Runs compiled test files of one package in their own process. Resolves with the counts, the time,
 * the output, and `problem`: why the run failed although no test did (it crashed or hung). Those
 * that run alone may measure the memory of their process, which has the heap of any other then.
 */
export async function runTestProcess(root, { folder, files }, { fixturesFolder, verbose, isAlone }) {
  const started = Date.now()
  const argumentsFor = (resultFile) => [
    ...[...(isAlone ? [] : roomyHeap), mocha, '--timeout', '60000', '--forbid-only', '--forbid-pending', '--reporter', reporter],
    ...Object.entries({ result: resultFile, limitMs, verbose }).flatMap(([name, value]) => ['--reporter-option', `${name}=${value}`]),
    ...(process.stdout.isTTY === true ? ['--color'] : []),
    ...files.map((file) => path.join(root, folder, 'dist', path.relative(`${folder}/src`, file).replace(/\.tsx?$/, '.js'))),
  ]
  const outcome = await runForResult(argumentsFor, {
    cwd: path.join(root, folder),
    // Who runs one test of the console sees its screens in all looks.
    env: { FIXTURES_DIR: fixturesFolder, ...(verbose ? {} : { CONSOLE_LOOKS: 'two' }) },
    timeoutMs: limitMs + 10_000,
  })
  const counts = outcome.result ?? { passed: 0, failed: 0 }
  return { ...counts, elapsedMs: Date.now() - started, output: outcome.output, problem: problemOf(outcome) }
}

function problemOf({ timedOut, result, signal, code }) {
  if (timedOut) return 'it did not end in time and was killed'
  if (result === undefined) return `it ended before its tests did (${signal ?? `status ${code}`})`
  if (result.failed > 0) return undefined
  if (code !== 0) return `its tests passed, but it failed at the end (${signal ?? `status ${code}`})`
  return undefined
}
