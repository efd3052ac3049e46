import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

/**
 * The circles between the folders below `source`: each a list of folders of which every one reaches every other through imports. Tests and what they share,
 * and the entry point `index.ts` of `source` itself, do not count: they may know everything.
 */
export function folderCircles(source) {
  return circlesIn(importsBetweenFolders(source))
}

/** Folder → the folders that its files import from. */
function importsBetweenFolders(source) {
  const graph = new Map()
  for (const file of sourceFiles(source)) {
    const from = folderOf(source, file)
    const targets = graph.get(from) ?? new Set()
    graph.set(from, targets)
    for (const specifier of relativeImports(readFileSync(file, 'utf8'))) {
      const to = folderOf(source, path.resolve(path.dirname(file), specifier))
      if (to !== from) targets.add(to)
    }
  }
  return graph
}

function sourceFiles(source) {
  return readdirSync(source, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name) && !/\.(test|d)\.tsx?$/.test(entry.name))
    .map((entry) => path.join(entry.parentPath, entry.name))
    .filter((file) => path.relative(source, file) !== 'index.ts')
    .filter((file) => !/(^|\/)(test-support|testing|support)(\/|$)/.test(folderOf(source, file)))
}

const folderOf = (source, file) => path.relative(source, path.dirname(file)).split(path.sep).join('/') || '.'

const relativeImports = (text) => [...text.matchAll(/(?:\bfrom|\bimport)\s*\(?\s*['"](\.[^'"]*)['"]/g)].map(([, specifier]) => specifier)

/** Tarjan's strongly connected components, those with more than one member. */
function circlesIn(graph) {
  const order = new Map()
  const lowest = new Map()
  const stack = []
  const circles = []
  const visit = (folder) => {
    order.set(folder, order.size)
    lowest.set(folder, order.get(folder))
    stack.push(folder)
    for (const target of graph.get(folder) ?? []) {
      if (!order.has(target)) visit(target)
      if (stack.includes(target)) lowest.set(folder, Math.min(lowest.get(folder), lowest.get(target)))
    }
    if (lowest.get(folder) !== order.get(folder)) return
    const members = stack.splice(stack.indexOf(folder))
    if (members.length > 1) circles.push(members.sort())
  }
  for (const folder of graph.keys()) if (!order.has(folder)) visit(folder)
  return circles
}

// node kernel/scripts/lib/folder-circles.mjs plugins/feature-inference/src …
if (process.argv[1] === fileURLToPath(import.meta.url))
  for (const source of process.argv.slice(2))
    for (const circle of folderCircles(path.resolve(source))) {
      console.log(`${source}: ${circle.join(', ')}`)
      process.exitCode = 1
    }
