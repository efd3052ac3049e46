/**
 * The reporter of the test run: one line for each failure as it happens and all details at the end;
 * with the option `verbose`, the whole tree. It keeps the results of each file in the file of the
 * option `result` (see `test-results.mjs`), and at the end appends a line with the milliseconds and
 * the name of each test file to the file `TEST_TIMES`, if that is set. Ends a run that exceeds
 * `limitMs`, or that does not end after its last test, with a list of open resources.
 */
import { appendFileSync } from 'node:fs'
import Mocha from 'mocha'
import { sourceStack } from './source-stack.mjs'
import { recordResults } from './test-results.mjs'

const { Base, Spec } = Mocha.reporters
const events = Mocha.Runner.constants

/** How long the process may take to end after the last test. */
const defaultGraceMs = 15_000

export default function TestReporter(runner, options) {
  const settings = options.reporterOption ?? options.reporterOptions ?? {}
  const print = (text) => process.stdout.write(`${text}\n`)
  const parent = settings.verbose === 'true' ? new Spec(runner, options) : new Base(runner, options)
  const noteOpen = settings.result === undefined ? undefined : recordResults(runner, settings.result)
  let failed = 0
  let current = 'before the first test'
  let hasEnded = false
  const endAfter = (milliseconds, reason) => {
    setTimeout(() => {
      const resources = describeResources(process.getActiveResourcesInfo())
      print(`${reason()}\nStill open: ${resources}`)
      if (hasEnded) noteOpen?.(resources)
      // Mocha sets the status from its counts as the process exits; this comes after it.
      process.once('exit', () => {
        process.exitCode = 1
      })
      process.exit(1)
    }, milliseconds).unref()
  }
  if (settings.limitMs !== undefined) {
    endAfter(
      Number(settings.limitMs),
      () => `The run was stopped after ${Math.round(Number(settings.limitMs) / 1000)} s. Current test: ${current}`,
    )
  }
  const times = new Map()
  let began = 0
  runner.on(events.EVENT_SUITE_BEGIN, (suite) => {
    if (suite.parent?.root) began = Date.now()
  })
  runner.on(events.EVENT_SUITE_END, (suite) => {
    if (suite.parent?.root) times.set(suite.file, (times.get(suite.file) ?? 0) + Date.now() - began)
  })
  const enter = (runnable) => {
    current = runnable.fullTitle()
  }
  runner.on(events.EVENT_TEST_BEGIN, enter)
  runner.on(events.EVENT_HOOK_BEGIN, enter)
  runner.on(events.EVENT_TEST_FAIL, (runnable, error) => {
    failed += 1
    if (typeof error?.stack === 'string') error.stack = sourceStack(error.stack)
    if (settings.verbose !== 'true') print(`  ✗ ${runnable.fullTitle()}`)
  })
  runner.once(events.EVENT_RUN_END, () => {
    current = 'after the last test'
    hasEnded = true
    if (settings.verbose !== 'true' && failed > 0) parent.epilogue()
    const lines = [...times].map(([file, time]) => `${time} ${file}\n`)
    if (process.env.TEST_TIMES) appendFileSync(process.env.TEST_TIMES, lines.join(''))
    endAfter(
      Number(settings.graceMs ?? defaultGraceMs),
      () => 'All tests have ended, but a resource that they opened keeps the process alive.',
    )
  })
  return parent
}

/** `Timeout ×2, TCPServerWrap ×1`. */
function describeResources(names) {
  const counts = new Map()
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1)
  return [...counts].map(([name, count]) => `${name} ×${count}`).join(', ') || 'nothing that Node reports'
}
