/**
 * `npm test [-- <package> …] [--verbose] [--concurrency=<number>]`: makes the clone ready, runs the checks, then the tests of every package
 * (or of those whose folder contains one of the words given; then without the checks). Ends with a table and one line, `N passed,
 * N failed`, in which a check that failed and a run that broke off count as failures. `SEED`, `FIXTURES_DIR` and other variables reach the
 * tests.
 */
import { existsSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { bootstrap } from './bootstrap.mjs'
import { runChecks } from './check.mjs'
import { parseOptions } from './lib/arguments.mjs'
import { stopCommands } from './lib/child-process.mjs'
import { requireDebianPackages } from './lib/debian-packages.mjs'
import { runScript } from './lib/failure.mjs'
import { formatDuration } from './lib/progress.mjs'
import { selectPackages } from './lib/select-packages.mjs'
import { countTests, listTestFiles, runPackageTests } from './lib/test-package.mjs'
import { repositoryRoot } from './lib/workspaces.mjs'

const limitMs = 12 * 60_000
const heartbeatMs = 30_000

await runScript(async () => {
  const options = parseOptions(process.argv.slice(2), ['verbose', 'concurrency'])
  const root = repositoryRoot
  await bootstrap({ root })
  const packages = selectPackages(root, options.words)
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.once(signal, () => endOn(signal))
  await requireDebianPackages(root)
  const checks = options.words.length === 0 ? await runChecks({ root }) : { failed: [] }
  const recordings = findRecordings(root, packages)
  const results = await runAll(root, packages, {
    recordings: recordings.present,
    fixturesFolder: recordings.folder,
    limitMs,
    verbose: options.verbose === 'true' || options.words.length > 0,
    concurrency: Number(options.concurrency ?? Math.max(1, Math.min(2, Math.floor(os.availableParallelism() / 2)))),
  })
  return summarise(results, checks, recordings)
})

function endOn(signal) {
  stopCommands('SIGTERM')
  process.exit(128 + os.constants.signals[signal])
}

function findRecordings(root, packages) {
  const folder = path.resolve(root, process.env.FIXTURES_DIR || '../shared/fixtures')
  const present = existsSync(folder)
  const files = packages.flatMap((name) => listTestFiles(root, name).recordings)
  return { folder, present, missing: present ? 0 : countTests(root, files) }
}

/** Runs the packages, `concurrency` at a time; the output of each stands together, in the order of the packages. */
async function runAll(root, packages, { concurrency, ...options }) {
  const results = []
  const waiting = packages.map((folder, index) => ({ folder, index }))
  let printed = 0
  const printFinished = () => {
    for (let result = results[printed]; result !== undefined; result = results[printed]) {
      printed += 1
      if (result.ran) print(describeRun(result, options.verbose))
    }
  }
  const work = async () => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      const started = Date.now()
      const { folder } = next
      const timer = setInterval(() => print(`… ${folder} has been running for ${formatDuration(Date.now() - started)}`), heartbeatMs)
      try {
        results[next.index] = await runPackageTests(root, folder, options)
      } finally {
        clearInterval(timer)
      }
      printFinished()
    }
  }
  await Promise.all(Array.from({ length: concurrency }, work))
  return results
}

function describeRun(result, verbose) {
  const isGood = result.failed === 0 && result.problem === undefined
  const head = `${isGood ? '✓' : '✗'} ${result.folder}: ${result.passed} passed, ${result.failed} failed (${formatDuration(result.elapsedMs)})`
  const output = isGood && !verbose ? '' : `\n${result.output.trimEnd()}`
  return `${head}${output}${result.problem === undefined ? '' : `\n  ${result.folder}: ${result.problem}`}`
}

function summarise(results, checks, recordings) {
  const ran = results.filter((result) => result.ran)
  const width = Math.max(7, ...ran.map((result) => result.folder.length))
  const broken = ran.filter((result) => result.problem !== undefined)
  const passed = ran.reduce((sum, result) => sum + result.passed, 0)
  const recordingsRequired = process.env.REQUIRE_FIXTURES === '1' && !recordings.present
  const failed = ran.reduce((sum, result) => sum + result.failed, 0) + broken.length + checks.failed.length + (recordingsRequired ? 1 : 0)
  print('')
  print(`${'package'.padEnd(width)}  ${'passed'.padStart(7)}  ${'failed'.padStart(7)}  ${'time'.padStart(10)}`)
  for (const result of ran) {
    const cells = [String(result.passed).padStart(7), String(result.failed).padStart(7), formatDuration(result.elapsedMs).padStart(10)]
    print(`${result.folder.padEnd(width)}  ${cells.join('  ')}${result.problem === undefined ? '' : `  ${result.problem}`}`)
  }
  if (checks.failed.length > 0) print(`Checks that failed: ${checks.failed.join(', ')} ("npm run check" shows them again)`)
  if (!recordings.present) {
    print(
      `${recordings.missing} recording tests were not run: there is no ${recordings.folder} (FIXTURES_DIR names another place)${recordingsRequired ? '; REQUIRE_FIXTURES=1 makes this a failure' : ''}`,
    )
  }
  if (process.env.SEED) print(`SEED=${process.env.SEED}`)
  print(`${passed} passed, ${failed} failed`)
  return failed > 0 || ran.length === 0 ? 1 : 0
}

function print(text) {
  process.stdout.write(`${text}\n`)
}
