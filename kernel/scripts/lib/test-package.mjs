import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { runCommand } from './child-process.mjs'
import { listFiles, repositoryRoot } from './workspaces.mjs'

const reporter = fileURLToPath(new URL('./test-reporter.mjs', import.meta.url))
const mocha = path.join(repositoryRoot, 'node_modules/mocha/bin/mocha.js')

/** The name by which a test file says that it reads recordings. */
const recordingsFile = /\.recordings\.test\.tsx?$/

/** The test files of a package, relative to the root: `ordinary` ones and those that read `recordings`. */
export function listTestFiles(root, folder) {
  const files = listFiles(root, `${folder}/src`, (file) => /\.test\.tsx?$/.test(file))
  return { ordinary: files.filter((file) => !recordingsFile.test(file)), recordings: files.filter((file) => recordingsFile.test(file)) }
}

/** How many tests stand in these files, by their text: the number to show for tests that cannot run. */
export function countTests(root, files) {
  let count = 0
  for (const file of files) count += readFileSync(path.join(root, file), 'utf8').match(/^\s*it\(/gm)?.length ?? 0
  return count
}

/**
 * Runs the compiled tests of one package. Resolves with the counts, the time, the output, and `problem`: why the run counts as failed
 * although no test did (it crashed, hung, or ran nothing).
 */
export async function runPackageTests(root, folder, { recordings, fixturesFolder, limitMs, verbose, onOutput }) {
  const files = listTestFiles(root, folder)
  const wanted = recordings ? [...files.ordinary, ...files.recordings] : files.ordinary
  if (wanted.length === 0) return { folder, passed: 0, failed: 0, elapsedMs: 0, output: '', ran: false }
  const temporary = mkdtempSync(path.join(os.tmpdir(), 'agent-service-test-'))
  const started = Date.now()
  try {
    const resultFile = path.join(temporary, 'result.json')
    const outcome = await runCommand(
      process.execPath,
      [
        '--enable-source-maps',
        mocha,
        ...['--timeout', '20000', '--forbid-only', '--forbid-pending', '--reporter', reporter],
        ...[
          '--reporter-option',
          `result=${resultFile}`,
          '--reporter-option',
          `limitMs=${limitMs}`,
          '--reporter-option',
          `verbose=${verbose}`,
        ],
        ...(process.stdout.isTTY === true ? ['--color'] : []),
        ...wanted.map((file) => path.join(root, folder, 'dist', path.relative(`${folder}/src`, file).replace(/\.tsx?$/, '.js'))),
      ],
      { cwd: path.join(root, folder), env: { FIXTURES_DIR: fixturesFolder }, timeoutMs: limitMs + 10_000, onOutput },
    )
    const counts = readResult(resultFile)
    const problem = problemOf(outcome, counts)
    return { folder, passed: 0, failed: 0, ...counts, elapsedMs: Date.now() - started, output: outcome.output, ran: true, problem }
  } finally {
    rmSync(temporary, { recursive: true, force: true })
  }
}

function readResult(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch (error) {
    if (error.code === 'ENOENT') return undefined
    throw error
  }
}

function problemOf(outcome, counts) {
  if (outcome.timedOut) return 'it did not end in time and was killed'
  if (counts === undefined) return `it ended before its tests did (${outcome.signal ?? `status ${outcome.code}`})`
  if (counts.failed > 0) return undefined
  if (outcome.code !== 0) return `its tests passed, but it ended badly (${outcome.signal ?? `status ${outcome.code}`})`
  if (counts.passed === 0) return 'it has test files but ran no test'
  return undefined
}
