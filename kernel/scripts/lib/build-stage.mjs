import { existsSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { bundleFolder, findBundle } from '../../cli/bin/bundle.mjs'
import { runCommand } from './child-process.mjs'
import { failure } from './failure.mjs'
import { runJobs } from './run-jobs.mjs'
import { isForTests, runWorkspaces, writeRunProject } from './run-scope.mjs'
import { digest, digestTimes, readStamp, writeStamp } from './stamps.mjs'
import { webTestResults, webTestSources } from './web-tests.mjs'
import { listFiles, listPlugins, listWorkspaces, readJson, repositoryRoot } from './workspaces.mjs'

const pluginBuilder = 'sdk/bin/agent-service-plugin.mjs'
const bundler = 'kernel/scripts/bundle.mjs'
const webConfiguration = 'vite.config.mjs'
/** What of the SDK web apps have in them, beside its types: folders, and a file. */
const kitsForWebApps = ['sdk/web', 'sdk/src/kits/markdown']
const textsForWebApps = 'sdk/src/core/visible-line.ts'
/** What builds the screens of plugins. */
const screensBuilder = 'sdk/src/build/web'

/** The JSON Schema of `plugin.json`, which the SDK offers to editors and other languages. */
const manifestSchema = 'sdk/dist/manifest.schema.json'

/**
 * A stamp of the `sources` of the build, and of whether its `results` exist; in the scope `run` of
 * what the program runs. Reads folders, not contents.
 */
export function buildStamp(root, scope) {
  const workspaces = workspacesIn(root, scope)
  const isSource = (folder) => (file) => scope === 'all' || !isForTests(folder, file)
  const sources = ['package-lock.json', 'tsconfig.json', bundler]
  for (const folder of ['sdk/bin', 'kernel/cli/bin']) sources.push(...listFiles(root, folder, () => true))
  for (const folder of workspaces) {
    sources.push(`${folder}/package.json`, `${folder}/tsconfig.json`, ...listFiles(root, `${folder}/src`, isSource(folder)))
    if (nativeBuild(root, folder) !== undefined) sources.push(...listFiles(root, `${folder}/helper`, () => true))
  }
  sources.push(...webFoldersIn(root, workspaces).flatMap((folder) => webSources(root, folder)))
  if (scope === 'all') sources.push(...webTestSources(root))
  const expected = [...expectedResults(root, workspaces), ...(scope === 'all' ? webTestResults(root) : [])]
  const results = expected.map((file) => `${file} ${existsSync(path.join(root, file))}`)
  if (hasProgram(root)) results.push(`${bundleFolder} ${findBundle(root).main !== undefined}`)
  return { sources: digestTimes(root, sources), results: digest(...results) }
}

/** The results of a finished build; if one of them is missing, it is built again. */
function expectedResults(root, workspaces) {
  const compiled = workspaces.filter((folder) => existsSync(path.join(root, folder, 'tsconfig.json')))
  return [
    ...compiled.map((folder) => `${folder}/dist/.tsbuildinfo`),
    ...(offersManifestSchema(root) ? [manifestSchema] : []),
    ...webFoldersIn(root, workspaces).map((folder) => `${folder}/${webResult(root, folder)}`),
    ...pluginsIn(root, workspaces).map((folder) => path.join(folder, pluginManifest(root, folder))),
  ]
}

const workspacesIn = (root, scope) => (scope === 'run' ? runWorkspaces(root) : listWorkspaces(root))
const pluginsIn = (root, workspaces) => listPlugins(root).filter((folder) => workspaces.includes(folder))

function pluginManifest(root, folder) {
  return readJson(path.join(root, folder, 'package.json')).agentService.plugin
}

/** The module that builds what a plugin has in other languages (`agentService.native`). */
function nativeBuild(root, folder) {
  return readJson(path.join(root, folder, 'package.json')).agentService?.native
}

/**
 * Builds what plugins have in other languages. A machine that cannot is told so, and the plugin does
 * without.
 */
export async function buildNative(root, { stream = process.stderr } = {}) {
  for (const folder of listPlugins(root)) {
    const program = nativeBuild(root, folder)
    if (program === undefined) continue
    const result = await runCommand(process.execPath, [path.join(root, folder, program)], { cwd: root, timeoutMs: 120_000 })
    if (result.code !== 0) throw failure(`${folder} could not be built`, { output: result.output })
    if (result.output !== '') stream.write(result.output)
  }
}

/** Whether the repository has the program, which starts faster from a bundle. */
export function hasProgram(root) {
  return existsSync(path.join(root, 'kernel/cli/src/main.ts'))
}

function offersManifestSchema(root) {
  return readJson(path.join(root, 'sdk/package.json')).exports?.['./manifest.schema.json'] !== undefined
}

/** The workspaces of a scope with something for browsers in `web`, which becomes static files in `dist/web`: a web app, or screens for one. */
export function listWebFolders(root, scope = 'all') {
  return webFoldersIn(root, workspacesIn(root, scope))
}

const webFoldersIn = (root, workspaces) =>
  workspaces.filter((folder) => isWebApp(root, folder) || existsSync(path.join(root, folder, 'web/screens')))

/** Whether it has a page of its own, and its own configuration. */
const isWebApp = (root, folder) => existsSync(path.join(root, folder, 'web/index.html'))

const webResult = (root, folder) => (isWebApp(root, folder) ? 'dist/web/index.html' : 'dist/web/screens.json')

function webSources(root, folder) {
  const isShared = (file) => !isForTests(folder, file)
  const own = [
    `${folder}/package.json`,
    ...readdirSync(path.join(root, folder))
      .filter((file) => file.endsWith('.mjs'))
      .map((file) => `${folder}/${file}`),
    ...listFiles(root, `${folder}/web`, isShared),
    ...listFiles(root, screensBuilder, isShared),
  ]
  return isWebApp(root, folder) ? [...own, ...kitsForWebApps.flatMap((kit) => listFiles(root, kit, isShared)), textsForWebApps] : own
}

/**
 * Builds the web apps, and the screens of plugins, whose sources have changed since their last build. An app and all screens take
 * about as long as each other and need nothing of each other: where there are two processors, two builds run at a time.
 */
export async function buildWebApps(root, onDetail, scope = 'all') {
  const stampOf = (folder) => digestTimes(root, ['package-lock.json', ...webSources(root, folder)])
  const nameOf = (folder) => `web-${path.basename(folder)}`
  const stamps = new Map(listWebFolders(root, scope).map((folder) => [folder, stampOf(folder)]))
  const isCurrent = ([folder, stamp]) =>
    readStamp(root, nameOf(folder)) === stamp && existsSync(path.join(root, folder, webResult(root, folder)))
  const changed = [...stamps].filter((entry) => !isCurrent(entry)).map(([folder]) => folder)
  const builds = webBuilds(root, changed)
  onDetail(builds.map(({ title }) => title).join(' and '))
  const jobs = builds.map(({ command, folders }) => async () => {
    await buildWeb(root, command, folders.join(', '))
    for (const folder of folders) writeStamp(root, nameOf(folder), stamps.get(folder))
  })
  await runJobs(jobs, Math.min(2, os.availableParallelism()))
}

/** What is to be run for these folders: a build for each web app, and one for the screens of all plugins. */
function webBuilds(root, folders) {
  const builder = path.join(root, 'node_modules/vite/bin/vite.js')
  const apps = folders.filter((folder) => isWebApp(root, folder))
  const screens = folders.filter((folder) => !isWebApp(root, folder))
  const builds = apps.map((folder) => ({
    title: folder,
    folders: [folder],
    command: [builder, 'build', '--config', path.join(folder, webConfiguration)],
  }))
  if (screens.length === 0) return builds
  const title = screens.length === 1 ? screens[0] : `the screens of ${screens.length} plugins`
  return [...builds, { title, folders: screens, command: [pluginBuilder, 'build', '--only', 'screens', ...screens] }]
}

async function buildWeb(root, command, what) {
  const result = await runCommand(process.execPath, command, { cwd: root, timeoutMs: 300_000 })
  if (result.code !== 0) throw failure(`what ${what} has for browsers could not be built`, { output: result.output })
}

/** The native compiler. The version before it stays for the tools that need its programming interface. */
export const compiler = path.join(repositoryRoot, 'node_modules/typescript-7/bin/tsc')

/**
 * How much the compiler does at a time: two projects, with two threads that check each. More gain
 * nothing, since most projects wait for the one before, and each takes its own memory.
 */
const parallel = os.availableParallelism() > 1 ? ['--builders', '2', '--checkers', '2'] : ['--singleThreaded']

/**
 * Compiles every package in the order of their references, in the scope `run` without tests, and
 * removes what is left of deleted sources.
 */
export async function compile(root, scope) {
  const projects = scope === 'run' ? [writeRunProject(root)] : []
  const result = await runCommand(process.execPath, [compiler, '--build', '--pretty', 'false', ...parallel, ...projects], { cwd: root })
  if (result.code !== 0)
    throw failure('the code does not compile', { output: result.output, mend: 'Fix the errors above, then run "npm run build" again.' })
  for (const folder of listWorkspaces(root)) removeOrphans(path.join(root, folder))
}

/** What is built from `web`, which is emptied by each build. */
const ofBrowsers = ['web', 'web-kit', 'web-tests']

/** Removes results of deleted sources: a deleted test must not keep running. */
function removeOrphans(packageFolder) {
  const dist = path.join(packageFolder, 'dist')
  if (!existsSync(dist)) return
  for (const entry of readdirSync(dist, { recursive: true, withFileTypes: true })) {
    const compiled = /^(.+?)(\.d)?\.([cm]?)[jt]s(\.map)?$/.exec(entry.name)
    const folder = entry.parentPath ?? entry.path
    if (!entry.isFile() || compiled === null || folder.includes(path.normalize(bundleFolder))) continue
    if (ofBrowsers.some((name) => `${folder}${path.sep}`.startsWith(path.join(dist, name, path.sep)))) continue
    const source = path.join(packageFolder, 'src', path.relative(dist, folder), compiled[1])
    if (![`${source}.${compiled[3]}ts`, `${source}.tsx`].some((file) => existsSync(file))) rmSync(path.join(folder, entry.name))
  }
}

/**
 * Writes every plugin's `plugin.json`, in one process, and their schema; reports all failures, not
 * only the first.
 */
export async function writeManifests(root, scope = 'all') {
  const plugins = pluginsIn(root, workspacesIn(root, scope))
  if (plugins.length === 0 && !offersManifestSchema(root)) return
  if (!existsSync(path.join(root, pluginBuilder))) {
    throw failure(`${pluginBuilder} is missing, so no plugin.json can be written`, { mend: 'Restore the file from the repository.' })
  }
  if (offersManifestSchema(root)) await writeManifestSchema(root)
  if (plugins.length === 0) return
  const result = await runCommand(process.execPath, [pluginBuilder, 'build', '--only', 'manifest', ...plugins], {
    cwd: root,
    timeoutMs: 120_000,
  })
  if (result.code !== 0) throw failure('plugin manifests could not be written', { output: result.output })
  const missing = plugins.filter((plugin) => !existsSync(path.join(root, plugin, pluginManifest(root, plugin))))
  const lines = missing.map((plugin) => `${plugin}: no ${pluginManifest(root, plugin)} was written`)
  if (lines.length > 0) throw failure('plugin manifests could not be written', { output: lines.join('\n') })
}

/** Bundles the compiled code into a few files, which load faster. */
export async function writeBundle(root) {
  const result = await runCommand(process.execPath, [bundler], { cwd: root, timeoutMs: 120_000 })
  if (result.code !== 0) throw failure('the compiled code could not be bundled', { output: result.output })
}

async function writeManifestSchema(root) {
  const result = await runCommand(process.execPath, [pluginBuilder, 'schema'], { cwd: root, timeoutMs: 60_000 })
  if (result.code !== 0) throw failure(`${manifestSchema} could not be written`, { output: result.output })
  writeFileSync(path.join(root, manifestSchema), result.output)
}
