import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import path from 'node:path'
import { gzipSync } from 'node:zlib'
import { listWebFolders } from '../lib/build-stage.mjs'
import { readJson } from '../lib/workspaces.mjs'

export const title = 'the built web apps keep within their budgets'
export const mend =
  'Load less at once: import() what only some pages need, drop what is unused, or compress images. A limit is raised in kernel/scripts/checks/web-budgets.mjs, with its reason.'

const kilobyte = 1024

/** Limits in bytes, compressed but for the last. */
const limits = {
  firstScripts: 120 * kilobyte,
  firstStyles: 30 * kilobyte,
  lazy: 40 * kilobyte,
  all: 5 * 1024 * kilobyte,
}

/** Lazy parts that may be larger, by their source. The terminal emulator, and KaTeX: kernel/docs/decisions. */
const exceptions = { 'maths/formulas.ts': 88 * kilobyte, 'screens/terminal/emulator.ts': 96 * kilobyte }

/** Reads the lists of chunks that the builds wrote beside the folders of the built files, which are not served. */
export async function check({ root }) {
  return listWebFolders(root).flatMap((folder) => problemsOf(root, folder))
}

function problemsOf(root, folder) {
  const built = path.join(root, folder, 'dist/web')
  const manifestFile = path.join(root, folder, 'dist/web-chunks.json')
  if (!existsSync(manifestFile)) return [`${folder}: dist/web-chunks.json is missing; npm run build makes it`]
  const chunks = readJson(manifestFile)
  const sizeOf = (file) => gzipSync(readFileSync(path.join(built, file))).length
  const problems = []
  const hold = (what, files, limit) => {
    const sizes = [...files].map((file) => ({ file, size: sizeOf(file) })).sort((one, other) => other.size - one.size)
    const total = sizes.reduce((sum, { size }) => sum + size, 0)
    if (total <= limit) return
    const largest = sizes.slice(0, 3).map(({ file, size }) => `${file} ${kilobytes(size)}`)
    problems.push(`${folder}: ${what}: ${kilobytes(total)} compressed, at most ${kilobytes(limit)}. The largest: ${largest.join(', ')}`)
  }

  const first = Object.keys(chunks)
    .filter((name) => chunks[name].isEntry || chunks[name].name === besideScreens)
    .reduce((found, name) => loadedWith(name, chunks, found), new Set())
  hold('scripts of the first load', scriptsOf(first, chunks), limits.firstScripts)
  hold('styles of the first load', stylesOf(first, chunks), limits.firstStyles)
  for (const name of Object.keys(chunks).filter((each) => chunks[each].isDynamicEntry)) {
    const there = loadedBefore(name, chunks)
    const own = [...loadedWith(name, chunks)].filter((each) => !first.has(each) && !there.has(each))
    const files = new Set([...scriptsOf(own, chunks), ...stylesOf(own, chunks)])
    for (const file of stylesOf(first, chunks)) files.delete(file)
    hold(`the lazy part ${name}`, files, exceptions[name] ?? limits.lazy)
  }
  const all = bytesBelow(built)
  if (all > limits.all) problems.push(`${folder}: all static files: ${kilobytes(all)}, at most ${kilobytes(limits.all)}`)
  return problems
}

/** The chunk of what runs beside every screen once a person has signed in; it belongs to the first load. */
const besideScreens = 'beside'

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
