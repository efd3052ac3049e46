/**
 * `TEST_TIMES=<file> npm test && node kernel/scripts/test-costs.mjs <file>`: writes the measured
 * seconds of the dear test files to `kernel/scripts/lib/test-costs.json`, from which the tests are
 * divided into processes.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { failure, runScript } from './lib/failure.mjs'
import { dearOf } from './lib/test-costs.mjs'
import { listTestFiles } from './lib/test-files.mjs'
import { listWorkspaces, repositoryRoot } from './lib/workspaces.mjs'

await runScript(() => {
  const [file] = process.argv.slice(2)
  if (file === undefined) throw failure('the file with the times is missing', { mend: 'Name the file that TEST_TIMES named.', status: 2 })
  const sources = new Set(listWorkspaces(repositoryRoot).flatMap((folder) => listTestFiles(repositoryRoot, folder)))
  const times = readTimes(path.resolve(file), sources)
  if (times.size === 0) throw failure(`${file} has no time of a test of this repository`)
  const costs = JSON.stringify(Object.fromEntries(dearOf(times)), undefined, 2)
  writeFileSync(path.join(repositoryRoot, 'kernel/scripts/lib/test-costs.json'), `${costs}\n`)
})

/** Seconds by source file. A file that was measured in another clone counts for the same file here. */
function readTimes(file, sources) {
  const times = new Map()
  for (const line of readFileSync(file, 'utf8').split('\n')) {
    const [, milliseconds, compiled] = /^(\d+) (.+)$/.exec(line) ?? []
    if (compiled === undefined) continue
    const parts = compiled.split('/')
    const names = parts.map((_, from) =>
      parts
        .slice(from)
        .join('/')
        .replace(/\/dist\/web-(kit|tests)\//, '/web/')
        .replace('/dist/', '/src/'),
    )
    const source = names.flatMap((name) => [name.replace(/\.js$/, '.ts'), name.replace(/\.js$/, '.tsx')]).find((name) => sources.has(name))
    if (source !== undefined) times.set(source, Number(milliseconds) / 1000)
  }
  return times
}
