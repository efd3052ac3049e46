/**
 * `npm run check [-- <check> …] [--root=<folder>] [--result=<file>]`: checks the sources; each
 * check is a module in `checks/`. Prints one line with the time for each check, and for a failed
 * one the problems and how to fix them. At the end it writes the names of failed checks, as JSON,
 * to the file of `--result`.
 */
import { writeFileSync } from 'node:fs'
import { bootstrap } from './bootstrap.mjs'
import { parseOptions } from './lib/arguments.mjs'
import { failure, runScript } from './lib/failure.mjs'
import { formatDuration } from './lib/progress.mjs'
import { repositoryRoot } from './lib/workspaces.mjs'

/**
 * In the order in which they run. Each module exports `title`, `mend` and `check({ root })`, which
 * resolves with the list of problems.
 */
const names = [
  ...['types', 'workspaces', 'versions', 'lint', 'dependencies', 'folders', 'specifiers', 'containers', 'decorators', 'texts'],
  ...['web-budgets', 'api-report'],
]

const maxShownProblems = 40

/**
 * Runs the checks (all, or those in `only`) on the repository at `root`; resolves with the names of
 * failed checks.
 */
async function runChecks({ root, only = names }) {
  const failed = []
  for (const name of only) {
    if (!names.includes(name)) throw failure(`unknown check ${name}`, { mend: `Checks: ${names.join(', ')}`, status: 2 })
    const module = await import(`./checks/${name}.mjs`)
    const started = Date.now()
    const problems = await module.check({ root })
    const time = formatDuration(Date.now() - started)
    if (problems.length === 0) {
      print(`✓ ${name}: ${module.title} (${time})`)
      continue
    }
    failed.push(name)
    print(`✗ ${name}: ${module.title} (${time})`)
    for (const problem of problems.slice(0, maxShownProblems)) print(`    ${problem.replaceAll('\n', '\n    ')}`)
    if (problems.length > maxShownProblems) print(`    … and ${problems.length - maxShownProblems} more`)
    print(`  → ${module.mend}`)
  }
  return failed
}

function print(text) {
  process.stdout.write(`${text}\n`)
}

await runScript(async () => {
  const options = parseOptions(process.argv.slice(2), ['root', 'result'])
  if (options.root === undefined) await bootstrap()
  const failed = await runChecks({
    root: options.root ?? repositoryRoot,
    ...(options.words.length > 0 ? { only: options.words } : {}),
  })
  if (options.result !== undefined) writeFileSync(options.result, JSON.stringify(failed))
  return failed.length > 0 ? 1 : 0
})
