import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { readJson } from './workspaces.mjs'

/**
 * Divides the projects of the root's `tsconfig.json` into two lanes that may be compiled beside each
 * other. The first lane is a chain: the project with the most references, and before it each one of
 * its own that a project of the second lane needs. A step of the second lane is
 * `{ projects, after }`: what may be compiled once the project `after` of the chain is ready, or at
 * once without one. No project is in both lanes, and each step finds everything that it needs.
 */
export function divideProjects(root) {
  const needed = readNeeds(root)
  const closureOf = (project, seen = new Set()) => {
    for (const each of needed.get(project) ?? []) if (!seen.has(each)) closureOf(each, seen.add(each))
    return seen
  }
  const projects = [...needed.keys()]
  const last = projects.reduce((most, each) => (closureOf(each).size > closureOf(most).size ? each : most))
  const spine = [...closureOf(last), last].sort((one, other) => closureOf(one).size - closureOf(other).size)
  const groups = new Map()
  for (const project of projects.filter((each) => !spine.includes(each))) {
    const after = spine.findLast((each) => closureOf(project).has(each))
    groups.set(after, [...(groups.get(after) ?? []), project])
  }
  const order = [undefined, ...spine]
  const beside = order.filter((each) => groups.has(each)).map((after) => ({ projects: groups.get(after), after }))
  return { chain: [...new Set([...beside.flatMap(({ after }) => after ?? []), last])], beside }
}

/** What each project needs compiled: its references, and the packages of the repository that it names. */
function readNeeds(root) {
  const folders = referencesOf(root, '.')
  const names = new Map(folders.flatMap((folder) => (hasManifest(root, folder) ? [[manifestOf(root, folder).name, folder]] : [])))
  const needs = (folder) => {
    const { dependencies, peerDependencies } = hasManifest(root, folder) ? manifestOf(root, folder) : {}
    const packages = Object.keys({ ...dependencies, ...peerDependencies }).flatMap((name) => names.get(name) ?? [])
    return new Set([...referencesOf(root, folder), ...packages])
  }
  return new Map(folders.map((folder) => [folder, needs(folder)]))
}

function referencesOf(root, folder) {
  const { references = [] } = JSON.parse(readFileSync(path.join(root, folder, 'tsconfig.json'), 'utf8'))
  return references.map((reference) => path.posix.normalize(path.posix.join(folder, reference.path)))
}

const hasManifest = (root, folder) => existsSync(path.join(root, folder, 'package.json'))
const manifestOf = (root, folder) => readJson(path.join(root, folder, 'package.json'))
