import path from 'node:path'
import { listSpecifiers, readSources } from '../lib/source-files.mjs'

export const title = 'no circles between the folders of a package'
export const mend = 'Move what both need to a folder below them, or the import that points upwards to the folder that composes them.'

/**
 * Folders that import each other, directly or through others, in any package. Tests may import from anywhere, and are left out. An `index.ts` says what
 * its folder offers or puts a package together, so it stands above its folder.
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
  return [...packages.values()].flatMap((imports) => findCircles(imports).map((circle) => describe(circle, imports)))
}

const placeOf = (file) => (/(^|\/)index\.[jt]s$/.test(file) ? file.replace(/[jt]s$/, 'ts') : path.posix.dirname(file))

/** The sets of folders of which each leads to each other one. */
function findCircles(imports) {
  const reached = new Map([...imports.keys()].map((folder) => [folder, reachableFrom(folder, imports)]))
  const circles = new Map()
  for (const [folder, others] of reached) {
    const circle = [...others].filter((other) => reached.get(other)?.has(folder)).sort()
    if (circle.length > 1) circles.set(circle[0], circle)
  }
  return [...circles.values()]
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

function describe(circle, imports) {
  const edges = circle.flatMap((folder) =>
    [...(imports.get(folder) ?? [])].filter(([target]) => circle.includes(target)).map(([, example]) => `  ${example}`),
  )
  return [`${circle.join(', ')} import each other:`, ...edges].join('\n')
}
