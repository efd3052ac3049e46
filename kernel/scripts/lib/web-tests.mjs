import { existsSync } from 'node:fs'
import path from 'node:path'
import { runCommand } from './child-process.mjs'
import { failure } from './failure.mjs'
import { digestTimes, readStamp, writeStamp } from './stamps.mjs'
import { listWebTestFiles } from './test-files.mjs'
import { listFiles, listWorkspaces } from './workspaces.mjs'

const kit = 'sdk'
const kitBuilder = 'sdk/scripts/web-kit.mjs'
const kitEntry = 'sdk/web/testing.ts'
const pluginBuilder = 'sdk/bin/agent-service-plugin.mjs'
const builders = 'sdk/src/build/web'

/** What every test of a component runs with; when it is there, the kit was built for tests. */
const kitResult = 'sdk/dist/web-kit/testing.js'

/** The workspaces with tests of what runs in browsers, beside the kit of screens. */
const foldersWithTests = (root) => listWorkspaces(root).filter((folder) => folder !== kit && listWebTestFiles(root, folder).length > 0)

const hasKit = (root) => existsSync(path.join(root, kitEntry))

/** The sources of the tests of components, relative to the root: those of the kit, which they contain, and of all packages. */
export function webTestSources(root) {
  if (!hasKit(root)) return []
  return [...kitSources(root), ...foldersWithTests(root).flatMap((folder) => sourcesOf(root, folder))]
}

/** What is there after {@link buildWebTests}. */
export function webTestResults(root) {
  return hasKit(root) ? [kitResult, ...foldersWithTests(root).map((folder) => `${folder}/dist/web-tests`)] : []
}

const kitSources = (root) => [kitBuilder, 'sdk/package.json', ...listFiles(root, 'sdk/web', () => true), ...builderSources(root)]

const sourcesOf = (root, folder) => [`${folder}/package.json`, ...listFiles(root, `${folder}/web`, () => true), ...builderSources(root)]

const builderSources = (root) => listFiles(root, builders, (file) => !file.endsWith('.test.ts'))

/**
 * Builds the tests of components whose sources have changed: the kit with its tests, and the tests of each package, which run with
 * that one copy of the kit.
 */
export async function buildWebTests(root) {
  if (!hasKit(root)) return
  await buildChanged(root, 'web-kit', kitSources(root), [kitResult], [kitBuilder])
  const changed = foldersWithTests(root).filter(
    (folder) => !isCurrent(root, nameOf(folder), stampOf(root, sourcesOf(root, folder)), [`${folder}/dist/web-tests`]),
  )
  if (changed.length === 0) return
  const stamps = changed.map((folder) => stampOf(root, sourcesOf(root, folder)))
  await run(root, [pluginBuilder, 'build', '--only', 'web-tests', ...changed], changed.join(', '))
  for (const [index, folder] of changed.entries()) writeStamp(root, nameOf(folder), stamps[index])
}

async function buildChanged(root, name, sources, results, command) {
  const stamp = stampOf(root, sources)
  if (isCurrent(root, name, stamp, results)) return
  await run(root, command, kit)
  writeStamp(root, name, stamp)
}

const nameOf = (folder) => `web-tests-${path.basename(folder)}`

const stampOf = (root, sources) => digestTimes(root, ['package-lock.json', ...sources])

const isCurrent = (root, name, stamp, results) =>
  readStamp(root, name) === stamp && results.every((file) => existsSync(path.join(root, file)))

async function run(root, command, what) {
  const result = await runCommand(process.execPath, command, { cwd: root, timeoutMs: 300_000 })
  if (result.code !== 0) throw failure(`the tests of components of ${what} could not be built`, { output: result.output })
}
