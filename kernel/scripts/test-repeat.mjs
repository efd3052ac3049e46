/**
 * `npm run test:repeat -- <package> [times]`: runs the tests of the matching packages repeatedly
 * (10 times by default), to find tests that fail intermittently. Prints the result of every run and
 * the complete output of failed ones. `SEED` reaches the tests.
 */
import { existsSync } from 'node:fs'
import path from 'node:path'
import { bootstrap } from './bootstrap.mjs'
import { parseOptions } from './lib/arguments.mjs'
import { failure, runScript } from './lib/failure.mjs'
import { formatDuration } from './lib/progress.mjs'
import { selectPackages } from './lib/select-packages.mjs'
import { defaultConcurrency, runPackages } from './lib/test-packages.mjs'
import { repositoryRoot } from './lib/workspaces.mjs'

const usage = 'npm run test:repeat -- <package> [times]'

await runScript(async () => {
  const [filter, count = '10', ...rest] = parseOptions(process.argv.slice(2), []).words
  const times = Number(count)
  if (filter === undefined || rest.length > 0 || !Number.isInteger(times) || times < 1) {
    throw failure('a package and a whole number are required', { mend: usage, status: 2 })
  }
  await bootstrap()
  const packages = selectPackages(repositoryRoot, [filter])
  const fixturesFolder = path.resolve(repositoryRoot, process.env.FIXTURES_DIR || '../shared/fixtures')
  const options = { recordings: existsSync(fixturesFolder), fixturesFolder, verbose: false, concurrency: defaultConcurrency }
  let bad = 0
  for (let run = 1; run <= times; run += 1) {
    for (const { folder, passed, failed, elapsedMs, problems, output } of await runPackages(repositoryRoot, packages, options)) {
      const isGood = failed + problems.length === 0
      if (!isGood) bad += 1
      const counts = [`${passed} passed, ${failed} failed`, ...problems].join(', ')
      process.stdout.write(`${isGood ? '✓' : '✗'} run ${run} of ${times}, ${folder}: ${counts} (${formatDuration(elapsedMs)})\n${output}`)
    }
  }
  process.stdout.write(`${times * packages.length - bad} of ${times * packages.length} runs passed\n`)
  return bad > 0 ? 1 : 0
})
