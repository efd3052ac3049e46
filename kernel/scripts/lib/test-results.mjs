import { renameSync, writeFileSync } from 'node:fs'
import Mocha from 'mocha'

const events = Mocha.Runner.constants

/** So much of an error stands in a list of failures, in characters; the output has the whole. */
const maxMessageLength = 300

/**
 * Keeps what is known of the test files of a run in `resultFile`, also when the process ends before
 * its tests did, as JSON: `{ hasEnded, current, failed, stillOpen, files }`. `files` has each file with
 * tests as `{ file, isWhole, passed, failures: [{ title, message }] }`, `isWhole` once each of its tests
 * has ended. `current` is the file whose tests run; absent before the first and after the last.
 * `failed` counts what failed. Returns a function that adds what is `stillOpen` after the last test.
 */
export function recordResults(runner, resultFile) {
  const files = new Map()
  const remaining = new Map()
  let current
  let failed = 0
  let stillOpen
  const write = (hasEnded) => {
    // Renamed, so that a process that is killed meanwhile leaves a whole one.
    writeFileSync(`${resultFile}.part`, JSON.stringify({ hasEnded, current, failed, stillOpen, files: [...files.values()] }))
    renameSync(`${resultFile}.part`, resultFile)
  }
  const begin = (runnable) => {
    const file = fileOf(runnable)
    if (file === undefined || file === current) return
    current = file
    write(false)
  }
  const endPart = (part) => {
    if (part.parent?.root !== true) return
    remaining.set(part.file, remaining.get(part.file) - 1)
    if (remaining.get(part.file) > 0) return
    files.get(part.file).isWhole = true
    current = undefined
    write(false)
  }
  runner.once(events.EVENT_RUN_BEGIN, () => {
    for (const { file } of partsOf(runner.suite)) {
      remaining.set(file, (remaining.get(file) ?? 0) + 1)
      files.set(file, { file, isWhole: false, passed: 0, failures: [] })
    }
    write(false)
  })
  runner.on(events.EVENT_SUITE_BEGIN, begin)
  runner.on(events.EVENT_TEST_BEGIN, begin)
  runner.on(events.EVENT_TEST_PASS, (test) => {
    files.get(fileOf(test)).passed += 1
  })
  runner.on(events.EVENT_TEST_FAIL, (runnable, error) => {
    const failure = { title: runnable.fullTitle(), message: messageOf(error) }
    const owner = files.get(fileOf(runnable) ?? current)
    failed += 1
    // What belongs to no file may have come from any of them.
    for (const entry of owner === undefined ? files.values() : [owner]) entry.failures.push(failure)
  })
  runner.on(events.EVENT_TEST_END, endPart)
  runner.on(events.EVENT_SUITE_END, endPart)
  runner.once(events.EVENT_RUN_END, () => {
    current = undefined
    write(true)
  })
  return (resources) => {
    stillOpen = resources
    write(true)
  }
}

/** The suites and tests at the top. Mocha passes over suites without tests. */
const partsOf = (root) => [...root.tests, ...root.suites.filter((suite) => suite.total() > 0)]

/** The file of the suite at the top: tests may be defined by functions of other files, and while others run. */
function fileOf(runnable) {
  let part = runnable
  while (part?.parent !== undefined && part.parent.root !== true) part = part.parent
  return part?.root === true ? undefined : part?.file
}

/** The first line of an error. */
function messageOf(error) {
  const [line] = String(error?.message ?? error).split('\n')
  return line.length > maxMessageLength ? `${line.slice(0, maxMessageLength)}…` : line
}
