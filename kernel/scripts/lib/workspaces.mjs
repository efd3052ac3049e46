import { existsSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

/** The repository that these scripts belong to. */
export const repositoryRoot = fileURLToPath(new URL('../../../', import.meta.url)).replace(/[/\\]$/, '')

export function readJson(file) {
  return JSON.parse(readFileSync(file, 'utf8'))
}

/**
 * The folders of all workspaces, relative to the root, with forward slashes: in the order of the
 * root's `workspaces`, and by name within a pattern that ends in `/*`.
 */
export function listWorkspaces(root) {
  const patterns = readJson(path.join(root, 'package.json')).workspaces ?? []
  return patterns.flatMap((pattern) => {
    if (!pattern.endsWith('/*')) return existsSync(path.join(root, pattern, 'package.json')) ? [pattern] : []
    const folder = pattern.slice(0, -2)
    if (!existsSync(path.join(root, folder))) return []
    return readdirSync(path.join(root, folder), { withFileTypes: true })
      .filter((entry) => entry.isDirectory() && existsSync(path.join(root, folder, entry.name, 'package.json')))
      .map((entry) => `${folder}/${entry.name}`)
      .sort()
  })
}

/** The workspaces that are plugins: those whose `package.json` names their `plugin.json`. */
export function listPlugins(root) {
  return listWorkspaces(root).filter((folder) => readJson(path.join(root, folder, 'package.json')).agentService?.plugin !== undefined)
}

/**
 * The files below a folder that `accept` accepts, relative to `root`, sorted; without
 * `node_modules`, `dist` and dotted folders.
 */
export function listFiles(root, folder, accept) {
  const found = []
  const visit = (relative) => {
    for (const entry of readdirSync(path.join(root, relative), { withFileTypes: true })) {
      const child = relative === '' ? entry.name : `${relative}/${entry.name}`
      if (entry.isDirectory()) {
        if (entry.name !== 'node_modules' && entry.name !== 'dist' && !entry.name.startsWith('.')) visit(child)
      } else if (entry.isFile() && accept(child)) found.push(child)
    }
  }
  if (existsSync(path.join(root, folder))) visit(folder)
  return found.sort()
}
