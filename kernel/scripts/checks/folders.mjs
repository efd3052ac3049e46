import path from 'node:path'
import { listSpecifiers, readSources } from '../lib/source-files.mjs'

export const title = 'no cycles between the folders of a package'
export const mend = 'Move shared code to a folder below them, or move the import that points upwards to the folder that composes them.'

/**
 * Reports folders that import each other, directly or through others, in any package. Ignores
 * tests, which may import from anywhere. An `index.ts` exports from its folder or composes a
 * package, so it counts as above its folder.
 */
export async function check({ root }) {
  const packages = new Map()
  for (const { file, workspace, source } of readSources(root, (name) => !/\.test\.[cm]?tsx?$|\.d\.ts$/.test(name))) {
    const folder = placeOf(file)
    const imports = packages.get(workspace) ?? new Map()
    packages.set(workspace, imports)
    for (const { text } of listSpecifiers(source)) {
      if (!text.startsWith('.')) continue
      const target = placeOf(path.posix.join(path.posix.dirname(file), text))
      if (target === folder) continue
      const targets = imports.get(folder) ?? new Map()
      imports.set(folder, targets)
      if (!targets.has(target)) targets.set(target, `${file} imports ${text}`)
    }
  }
  return [...packages.values()].flatMap((imports) => findCycles(imports).map((cycle) => describe(cycle, imports)))
}

const placeOf = (file) => (/(^|\/)index\.[jt]sx?$/.test(file) ? file.replace(/[jt]sx?$/, 'ts') : path.posix.dirname(file))

/** The sets of folders in which each one reaches every other. */
function findCycles(imports) {
  const reached = new Map([...imports.keys()].map((folder) => [folder, reachableFrom(folder, imports)]))
  const cycles = new Map()
  for (const [folder, others] of reached) {
    const cycle = [...others].filter((other) => reached.get(other)?.has(folder)).sort()
    if (cycle.length > 1) cycles.set(cycle[0], cycle)
  }
  return [...cycles.values()]
}

function reachableFrom(folder, imports) {
  const found = new Set()
  const waiting = [folder]
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    for (const target of imports.get(next)?.keys() ?? []) {
      if (found.has(target)) continue
      found.add(target)
      waiting.push(target)
    }
  }
  return found
}

function describe(cycle, imports) {
  const edges = cycle.flatMap((folder) =>
    [...(imports.get(folder) ?? [])].filter(([target]) => cycle.includes(target)).map(([, example]) => `  ${example}`),
  )
  return [`${cycle.join(', ')} import each other:`, ...edges].join('\n')
}
