/**
 * Writes `kernel/cli/dist/bundle`: the compiled kernel, SDK and plugins in a few files, which Node
 * loads in half the time of some 1,500 files. `kernel/cli/bin/bundle.mjs` decides when the program
 * runs from it.
 */
import { readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { rolldown } from 'rolldown'
import { bundleFolder, bundleIndex, readIndex, stampsOf } from '../cli/bin/bundle.mjs'
import { parseOptions } from './lib/arguments.mjs'
import { failure, runScript } from './lib/failure.mjs'
import { runWorkspaces } from './lib/run-scope.mjs'
import { createStartChunks } from './lib/start-chunks.mjs'
import { listPlugins, listWorkspaces, readJson, repositoryRoot } from './lib/workspaces.mjs'

/**
 * Packages of many small files without native code, threads or data files. All others stay where
 * they are installed.
 */
const inlined = ['croner', 'diff', 'entities', 'image-size', 'jose', 'reflect-metadata', 'tsyringe', 'typebox', 'uuid', 'yaml']

const ownPackages = ['sdk', 'kernel-core', 'kernel-services', 'kernel-accounts', 'kernel-settings'].map((name) => `@agent-service/${name}`)

const isInlined = (specifier) =>
  specifier.startsWith('.') ||
  path.isAbsolute(specifier) ||
  specifier.startsWith('\0') ||
  [...ownPackages, ...inlined].some((name) => specifier === name || specifier.startsWith(`${name}/`))

async function writeBundle(root) {
  const name = String(Date.now())
  const folder = path.join(root, bundleFolder, name)
  const plugins = listPlugins(root)
    .filter((plugin) => runWorkspaces(root).includes(plugin))
    .map((plugin) => ({ plugin, ...filesOf(root, plugin) }))
  const modules = plugins.flatMap((plugin) => plugin.modules)
  // Taken first: later changes are not in the bundle.
  const madeFrom = stampsOf(root, [
    ...listWorkspaces(root)
      .filter((workspace) => workspace === 'sdk' || workspace.startsWith('kernel/') || plugins.some(({ plugin }) => plugin === workspace))
      .map((workspace) => `${workspace}/dist/.tsbuildinfo`),
    ...plugins.map(({ manifest }) => manifest),
  ])
  const main = path.join(root, 'kernel/cli/dist/main.js')
  const startChunks = createStartChunks({
    program: main,
    service: path.join(root, 'kernel/cli/dist/commands/start-command.js'),
    plugins: modules.map(({ file }) => path.join(root, file)),
  })
  const warnings = []
  const bundle = await rolldown({
    cwd: root,
    input: {
      main,
      ...Object.fromEntries(modules.map(({ name, file }) => [name, path.join(root, file)])),
    },
    platform: 'node',
    external: (specifier) => !isInlined(specifier),
    plugins: [keepModuleUrls(folder), startChunks.notice],
    // A module of every start has nothing to wait for.
    onLog: (_, log) => (log.code === 'INEFFECTIVE_DYNAMIC_IMPORT' && startChunks.has(log.id)) || warnings.push(log.message),
  })
  const { output } = await bundle.write({
    dir: folder,
    format: 'esm',
    entryFileNames: '[name].js',
    chunkFileNames: '[name]-[hash].js',
    codeSplitting: { groups: startChunks.groups },
    comments: false,
  })
  await bundle.close()
  if (warnings.length > 0)
    throw failure('the bundle would differ from its modules', { output: warnings.join('\n'), mend: 'Fix what is named above.' })
  const entries = Object.fromEntries(modules.map(({ name, file }) => [file, `${name}.js`]))
  replaceIndex(root, { folder: name, madeFrom: { ...madeFrom, ...stampsOf(root, packagesIn(root, output)) }, entries })
}

/** The installed packages that are in a bundle, by their `package.json`, relative to the root. */
function packagesIn(root, output) {
  const modules = output.flatMap((chunk) => chunk.moduleIds ?? [])
  const folders = modules.flatMap((module) => /^.*[/\\]node_modules[/\\](?:@[^/\\]+[/\\])?[^/\\]+/.exec(module)?.[0] ?? [])
  return [...new Set(folders)].sort().map((folder) => path.relative(root, path.join(folder, 'package.json')))
}

/**
 * Makes the new bundle the current one. The previous one stays for processes that run from it and
 * load parts of it later.
 */
function replaceIndex(root, index) {
  const before = readIndex(root)?.folder
  const file = path.join(root, bundleIndex)
  writeFileSync(`${file}.new`, `${JSON.stringify(index, null, 2)}\n`)
  renameSync(`${file}.new`, file)
  const kept = [index.folder, before, path.basename(bundleIndex)]
  for (const name of readdirSync(path.dirname(file)))
    if (!kept.includes(name)) rmSync(path.join(path.dirname(file), name), { recursive: true, force: true })
}

/** The manifest of a plugin and the modules that it names, relative to the root. */
function filesOf(root, plugin) {
  const manifest = path.posix.join(plugin, readJson(path.join(root, plugin, 'package.json')).agentService.plugin)
  const { entry, rules } = readJson(path.join(root, manifest))
  const name = path.basename(plugin)
  const module = (file, name) => (file === undefined ? [] : [{ name, file: path.posix.join(path.posix.dirname(manifest), file) }])
  return { manifest, modules: [...module(entry, name), ...module(rules, `${name}-rules`)] }
}

/**
 * A module finds threads, programs and folders relative to its compiled file, not to the bundle.
 */
function keepModuleUrls(folder) {
  return {
    name: 'keep-module-urls',
    transform: {
      filter: { code: /import\.meta/ },
      handler(code, file) {
        const others = code.replaceAll('import.meta.url', '')
        if (others.includes('import.meta')) throw failure(`${file} uses more of import.meta than its url`)
        const place = JSON.stringify(path.relative(folder, file).split(path.sep).join('/'))
        return { code: code.replaceAll('import.meta.url', `new URL(${place}, import.meta.url).href`) }
      },
    },
  }
}

await runScript(() => writeBundle(path.resolve(parseOptions(process.argv.slice(2), ['root']).root ?? repositoryRoot)))
