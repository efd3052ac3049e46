/**
 * `npm run test:repeat -- <package> [times]`: runs the tests of the packages that fit again and again (10 times unless said otherwise), to
 * find the test that fails now and then. Every run is counted; the output of each that failed is shown whole. `SEED` reaches the tests.
 */
import { existsSync } from 'node:fs'
import path from 'node:path'
import { bootstrap } from './bootstrap.mjs'
import { parseOptions } from './lib/arguments.mjs'
import { failure, runScript } from './lib/failure.mjs'
import { formatDuration } from './lib/progress.mjs'
import { selectPackages } from './lib/select-packages.mjs'
import { runPackageTests } from './lib/test-package.mjs'
import { repositoryRoot } from './lib/workspaces.mjs'

const usage = 'npm run test:repeat -- <package> [times]'

await runScript(async () => {
  const [filter, count = '10', ...rest] = parseOptions(process.argv.slice(2), []).words
  const times = Number(count)
  if (filter === undefined || rest.length > 0 || !Number.isInteger(times) || times < 1) {
    throw failure('a package and a whole number are needed', { mend: usage, status: 2 })
  }
  await bootstrap()
  const packages = selectPackages(repositoryRoot, [filter])
  const fixturesFolder = path.resolve(repositoryRoot, process.env.FIXTURES_DIR || '../shared/fixtures')
  const options = { recordings: existsSync(fixturesFolder), fixturesFolder, limitMs: 12 * 60_000, verbose: false }
  let bad = 0
  for (let run = 1; run <= times; run += 1) {
    for (const folder of packages) {
      const result = await runPackageTests(repositoryRoot, folder, options)
      const isGood = result.failed === 0 && result.problem === undefined
      if (!isGood) bad += 1
      const note = result.problem === undefined ? '' : `, ${result.problem}`
      process.stdout.write(
        `${isGood ? '✓' : '✗'} run ${run} of ${times}, ${folder}: ${result.passed} passed, ${result.failed} failed${note}`,
      )
      process.stdout.write(` (${formatDuration(result.elapsedMs)})\n${isGood ? '' : result.output}`)
    }
  }
  process.stdout.write(`${times * packages.length - bad} of ${times * packages.length} runs passed\n`)
  return bad > 0 ? 1 : 0
})
