import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import path from 'node:path'
import { gzipSync } from 'node:zlib'
import { listWebFolders } from '../lib/build-stage.mjs'
import { readJson } from '../lib/workspaces.mjs'

export const title = 'the built web apps keep within their budgets'
export const mend =
  'Load less at once: import() what only some pages need, drop what is unused, or compress images. A limit is raised in kernel/scripts/checks/web-budgets.mjs, with its reason.'

const kilobyte = 1024

/** Limits in bytes, compressed but for the last, which is for the app and the screens of all plugins together. */
const limits = {
  firstScripts: 120 * kilobyte,
  firstStyles: 30 * kilobyte,
  lazy: 40 * kilobyte,
  all: 5 * 1024 * kilobyte,
}

/** Lazy parts that may be larger, by the end of their source. The terminal emulator, and KaTeX: kernel/docs/decisions. */
const exceptions = { 'maths/formulas.ts': 88 * kilobyte, 'screens/terminal/emulator.ts': 96 * kilobyte }

/** Ends the names of modules that run beside every screen once a person has signed in; they belong to the first load. */
const startSuffix = '.start'

/**
 * Reads the lists of chunks that the builds wrote beside the folders of the built files, which are not served. Examples do not
 * count: they are in no deployment by themselves.
 */
export async function check({ root }) {
  const folders = listWebFolders(root, 'run')
  const missing = folders.filter((folder) => !existsSync(path.join(root, folder, chunksFile)))
  if (missing.length > 0) return missing.map((folder) => `${folder}: ${chunksFile} is missing; npm run build makes it`)
  const builds = folders.map((folder) => readBuild(root, folder))
  const lazy = builds.flatMap((build) => lazyParts(build).flatMap((part) => held(build.folder, part, limitOf(part))))
  return [...heldTogether(builds), ...lazy]
}

const chunksFile = 'dist/web-chunks.json'

function readBuild(root, folder) {
  const chunks = readJson(path.join(root, folder, chunksFile))
  const built = path.join(root, folder, 'dist/web')
  const entries = Object.keys(chunks).filter((name) => chunks[name].isEntry)
  const isPage = (name) => name.endsWith('.html')
  const isFirst = (name) => isPage(name) || chunks[name].name?.endsWith(startSuffix)
  const first = entries.filter(isFirst).reduce((found, name) => loadedWith(name, chunks, found), new Set())
  const sizeOf = (file) => gzipSync(readFileSync(path.join(built, file))).length
  return { folder, chunks, built, first, sizeOf, entries: entries.filter((name) => !isFirst(name)) }
}

/** The first load is what the page and all that runs beside the screens need. */
function heldTogether(builds) {
  const sum = (filesOf) => builds.flatMap(({ first, chunks, sizeOf }) => sized(filesOf(first, chunks), sizeOf))
  const all = builds.reduce((total, { built }) => total + bytesBelow(built), 0)
  return [
    ...held('all', { what: 'scripts of the first load', sizes: sum(scriptsOf) }, limits.firstScripts),
    ...held('all', { what: 'styles of the first load', sizes: sum(stylesOf) }, limits.firstStyles),
    ...(all > limits.all ? [`all: all static files: ${kilobytes(all)}, at most ${kilobytes(limits.all)}`] : []),
  ]
}

/** Screens, parts of the kit, and what those load later, each without what is there before it. */
function lazyParts({ chunks, first, sizeOf, entries }) {
  const dynamic = Object.keys(chunks).filter((name) => chunks[name].isDynamicEntry && !entries.includes(name))
  return [...entries, ...dynamic].map((name) => {
    const there = entries.includes(name) ? new Set() : loadedBefore(name, chunks)
    const own = [...loadedWith(name, chunks)].filter((each) => !first.has(each) && !there.has(each))
    const files = new Set([...scriptsOf(own, chunks), ...stylesOf(own, chunks)])
    for (const file of stylesOf(first, chunks)) files.delete(file)
    return { name, what: `the lazy part ${name}`, sizes: sized(files, sizeOf) }
  })
}

const sized = (files, sizeOf) => [...files].map((file) => ({ file, size: sizeOf(file) }))

const limitOf = ({ name }) => Object.entries(exceptions).find(([end]) => name.endsWith(end))?.[1] ?? limits.lazy

/** A part that is larger than its limit, as a problem. */
function held(folder, { what, sizes }, limit) {
  const total = sizes.reduce((sum, { size }) => sum + size, 0)
  if (total <= limit) return []
  const largest = [...sizes].sort((one, other) => other.size - one.size).slice(0, 3)
  const names = largest.map(({ file, size }) => `${file} ${kilobytes(size)}`)
  return [`${folder}: ${what}: ${kilobytes(total)} compressed, at most ${kilobytes(limit)}. The largest: ${names.join(', ')}`]
}

/** A chunk with all that is loaded at once with it. */
function loadedWith(name, chunks, found = new Set()) {
  if (found.has(name)) return found
  found.add(name)
  for (const imported of chunks[name]?.imports ?? []) loadedWith(imported, chunks, found)
  return found
}

/** What every chunk that loads a lazy part has loaded itself before. */
function loadedBefore(name, chunks) {
  const [one, ...others] = Object.keys(chunks)
    .filter((each) => chunks[each].dynamicImports?.includes(name))
    .map((each) => loadedWith(each, chunks))
  return new Set([...(one ?? [])].filter((each) => others.every((other) => other.has(each))))
}

const scriptsOf = (names, chunks) => new Set([...names].map((name) => chunks[name].file))
const stylesOf = (names, chunks) => new Set([...names].flatMap((name) => chunks[name].css ?? []))

/** Compressed copies of files do not count, which are sent in the place of the files; a file that lies there compressed alone does. */
function bytesBelow(folder) {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath ?? entry.path, entry.name))
  const isCopy = (file) => /\.(br|gz)$/.test(file) && existsSync(file.replace(/\.(br|gz)$/, ''))
  return files.filter((file) => !isCopy(file)).reduce((sum, file) => sum + statSync(file).size, 0)
}

const kilobytes = (bytes) => `${(bytes / kilobyte).toFixed(1)} KB`
