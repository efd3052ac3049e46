/**
 * `npm test [-- <package or file> …] [--verbose] [--concurrency=<number>]`: prepares the clone, then
 * runs the checks and the gate, which is the tests that protect every change. `npm run test:full`
 * (`--full`) runs the checks and all tests. With words either runs only all tests of the packages
 * whose folder contains one of them, and the test files that a word names. Several processes run at a time, and those that measure alone at the
 * end. Then each test file that failed runs once more, alone: what fails again has failed, what
 * passes is listed as unstable. Prints a table and one line, `N passed, N failed`, in which a failed
 * check, an interrupted run and too many unstable files count as failures. `SEED`, `FIXTURES_DIR`
 * and other variables reach the tests.
 */
import { existsSync } from 'node:fs'
import path from 'node:path'
import { bootstrap } from './bootstrap.mjs'
import { parseOptions } from './lib/arguments.mjs'
import { runCheckProcess } from './lib/check-process.mjs'
import { requireDebianPackages } from './lib/debian-packages.mjs'
import { runScript } from './lib/failure.mjs'
import { formatDuration } from './lib/progress.mjs'
import { maxUnstable, runFailedAgain } from './lib/second-run.mjs'
import { selectTests } from './lib/select-tests.mjs'
import { countTests, isInGate, listTestFiles, readsRecordings } from './lib/test-files.mjs'
import { defaultConcurrency, runPackages } from './lib/test-packages.mjs'
import { repositoryRoot } from './lib/workspaces.mjs'

await runScript(async () => {
  const options = parseOptions(process.argv.slice(2), ['verbose', 'concurrency', 'full'])
  const root = repositoryRoot
  await bootstrap({ root })
  const { packages, selects } = selectTests(root, options.words)
  await requireDebianPackages(root)
  const gate = options.words.length === 0 && options.full !== 'true'
  const recordings = findRecordings(root, packages, (file) => selects(file) && (!gate || isInGate(file)))
  const checks = { failed: [] }
  const check = async () => {
    const { failed, output } = await runCheckProcess(root)
    checks.failed = failed
    print(output.trimEnd())
  }
  const started = Date.now()
  const concurrency = Number(options.concurrency ?? defaultConcurrency)
  const shared = { gate, fixturesFolder: recordings.folder, verbose: options.verbose === 'true' || options.words.length > 0, print }
  const first = await runPackages(root, packages, {
    ...shared,
    selects,
    recordings: recordings.present,
    concurrency,
    first: options.words.length === 0 ? [{ title: 'checks', run: check }] : [],
    onPackage: (result) => print(describePackage(result)),
  })
  const { results, unstable } = await runFailedAgain(root, first, shared)
  const duration = `${formatDuration(Date.now() - started)}, ${concurrency} at a time`
  return summarise(results, { unstable, checks, recordings, duration, gate })
})

function findRecordings(root, packages, runs) {
  const folder = path.resolve(root, process.env.FIXTURES_DIR || '../shared/fixtures')
  const present = existsSync(folder)
  const files = packages.flatMap((name) => listTestFiles(root, name).filter((file) => readsRecordings(file) && runs(file)))
  return { folder, present, missing: present ? 0 : countTests(root, files) }
}

function describePackage({ folder, passed, failed, elapsedMs, problems, output }) {
  const isGood = failed + problems.length === 0
  const head = `${isGood ? '✓' : '✗'} ${folder}: ${passed} passed, ${failed} failed (${formatDuration(elapsedMs)})`
  return [head, ...(output === '' ? [] : [output.trimEnd()]), ...problems.map((problem) => `  ${folder}: ${problem}`)].join('\n')
}

function summarise(results, { unstable, checks, recordings, duration, gate }) {
  const width = Math.max(7, ...results.map((result) => result.folder.length))
  const sum = (countOf) => results.reduce((total, result) => total + countOf(result), 0)
  const recordingsRequired = process.env.REQUIRE_FIXTURES === '1' && !recordings.present
  const passed = sum((result) => result.passed)
  const isTooUnstable = unstable.length > maxUnstable
  const failed =
    sum((result) => result.failed + result.problems.length) +
    checks.failed.length +
    [recordingsRequired, isTooUnstable].filter((isFailure) => isFailure).length
  print('')
  print(`${'package'.padEnd(width)}  ${'passed'.padStart(7)}  ${'failed'.padStart(7)}  ${'time'.padStart(10)}`)
  for (const { folder, elapsedMs, problems, ...counts } of results) {
    const cells = [String(counts.passed).padStart(7), String(counts.failed).padStart(7), formatDuration(elapsedMs).padStart(10)]
    print([folder.padEnd(width), ...cells, ...problems].join('  '))
  }
  print(`In ${duration}${gate ? ' (the gate; npm run test:full runs all tests)' : ''}`)
  if (checks.failed.length > 0) print(`Checks that failed: ${checks.failed.join(', ')} ("npm run check" shows them again)`)
  if (!recordings.present) {
    print(
      `${recordings.missing} recording tests were not run: ${recordings.folder} does not exist (FIXTURES_DIR names another folder)${recordingsRequired ? '; REQUIRE_FIXTURES=1 makes this a failure' : ''}`,
    )
  }
  if (process.env.SEED) print(`SEED=${process.env.SEED}`)
  print(`Unstable files: ${unstable.length}${isTooUnstable ? `, more than ${maxUnstable}, which is a failure of the run` : ''}`)
  for (const { name, reason } of unstable) print(`  unstable: ${name}: ${reason}`)
  print(`${passed} passed, ${failed} failed`)
  return failed > 0 || results.length === 0 ? 1 : 0
}

function print(text) {
  process.stdout.write(`${text}\n`)
}
