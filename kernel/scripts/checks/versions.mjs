import { existsSync } from 'node:fs'
import path from 'node:path'
import { listWorkspaces, readJson } from '../lib/workspaces.mjs'

export const title = 'dependency versions are exact and match the lock file'
export const mend =
  'Write exact versions (no ^, ~, range or tag) and run "npm install"; if packages for other platforms are missing, remove node_modules and package-lock.json first. .npmrc keeps registry addresses out of the lock file.'

const groups = ['dependencies', 'devDependencies', 'peerDependencies', 'optionalDependencies']
/** An alias may precede the version. */
const exact = /^(npm:[^@]+@|npm:@[^@]+@)?\d+\.\d+\.\d+(-[0-9A-Za-z.-]+)?(\+[0-9A-Za-z.-]+)?$/

export async function check({ root }) {
  const lockFile = path.join(root, 'package-lock.json')
  if (!existsSync(lockFile)) return ['package-lock.json is missing']
  const locked = readJson(lockFile).packages ?? {}
  const problems = []
  for (const folder of ['', ...listWorkspaces(root)]) {
    const manifest = readJson(path.join(root, folder, 'package.json'))
    const name = folder === '' ? 'package.json' : `${folder}/package.json`
    problems.push(...checkExact(name, manifest), ...checkLock(name, folder, manifest, locked))
  }
  return [...problems, ...checkCompleteness(locked), ...checkAddresses(locked)]
}

function checkExact(name, manifest) {
  return groups.flatMap((group) =>
    Object.entries(manifest[group] ?? {})
      .filter(([, version]) => !exact.test(version))
      .map(([dependency, version]) => `${name}: ${group}.${dependency} is "${version}", which is not an exact version`),
  )
}

function checkLock(name, folder, manifest, locked) {
  const entry = locked[folder]
  if (entry === undefined) return [`${name}: this package is not in the lock file`]
  const problems = []
  for (const group of groups) {
    const wanted = manifest[group] ?? {}
    const known = entry[group] ?? {}
    for (const dependency of new Set([...Object.keys(wanted), ...Object.keys(known)])) {
      if (wanted[dependency] !== known[dependency]) {
        problems.push(
          `${name}: ${group}.${dependency} is ${wanted[dependency] ?? 'absent'}, in the lock file ${known[dependency] ?? 'absent'}`,
        )
      } else if (group !== 'optionalDependencies' && exact.test(wanted[dependency])) {
        const found = findLocked(locked, folder, dependency)
        if (found !== wanted[dependency]) problems.push(`${name}: ${dependency} ${wanted[dependency]} is locked as ${found ?? 'absent'}`)
      }
    }
  }
  return problems
}

/**
 * Reports dependencies of locked packages that are not in the lock file: `npm ci` refuses such a
 * file. Builds for other platforms get lost when npm writes the file beside a `node_modules` with
 * only this platform's builds.
 */
function checkCompleteness(locked) {
  const problems = []
  for (const [location, entry] of Object.entries(locked)) {
    if (entry.link === true) continue
    for (const dependency of Object.keys({ ...entry.dependencies, ...entry.optionalDependencies })) {
      if (findEntry(locked, location, dependency) === undefined) {
        problems.push(`package-lock.json: ${dependency}, which ${location || 'the root'} needs, is missing`)
      }
    }
  }
  return problems
}

/**
 * The entry that a package at `location` gets for a dependency, by Node's search upwards through
 * `node_modules`.
 */
function findEntry(locked, location, dependency) {
  for (let folder = location; ; folder = folder.slice(0, Math.max(folder.lastIndexOf('/'), 0))) {
    const entry = locked[folder === '' ? `node_modules/${dependency}` : `${folder}/node_modules/${dependency}`]
    if (entry !== undefined || folder === '') return entry
  }
}

/** Its locked version, as a manifest writes it. An entry has a name if it is another than its folder's. */
function findLocked(locked, folder, dependency) {
  const entry = findEntry(locked, folder, dependency)
  if (entry?.link === true) return locked[entry.resolved]?.version
  return entry?.name === undefined ? entry?.version : `npm:${entry.name}@${entry.version}`
}

function checkAddresses(locked) {
  return Object.entries(locked)
    .filter(([, entry]) => /^[a-z+]+:\/\//i.test(entry.resolved ?? ''))
    .map(([location]) => `package-lock.json: ${location} names the URL of a registry ("resolved")`)
}
