import { existsSync } from 'node:fs'
import path from 'node:path'
import { listWorkspaces, readJson } from '../lib/workspaces.mjs'

export const title = 'dependency versions are exact, and the lock file fits them'
export const mend =
  'Write the exact version (no ^, ~, range or tag), run "npm install", and keep the lock file without registry addresses (.npmrc).'

const groups = ['dependencies', 'devDependencies', 'peerDependencies', 'optionalDependencies']
const exact = /^\d+\.\d+\.\d+(-[0-9A-Za-z.-]+)?(\+[0-9A-Za-z.-]+)?$/

export async function check({ root }) {
  const lockFile = path.join(root, 'package-lock.json')
  if (!existsSync(lockFile)) return ['package-lock.json is absent']
  const locked = readJson(lockFile).packages ?? {}
  const problems = []
  for (const folder of ['', ...listWorkspaces(root)]) {
    const manifest = readJson(path.join(root, folder, 'package.json'))
    const name = folder === '' ? 'package.json' : `${folder}/package.json`
    problems.push(...checkExact(name, manifest), ...checkLock(name, folder, manifest, locked))
  }
  return [...problems, ...checkAddresses(locked)]
}

function checkExact(name, manifest) {
  return groups.flatMap((group) =>
    Object.entries(manifest[group] ?? {})
      .filter(([, version]) => !exact.test(version))
      .map(([dependency, version]) => `${name}: ${group}.${dependency} is "${version}", which is no exact version`),
  )
}

function checkLock(name, folder, manifest, locked) {
  const entry = locked[folder]
  if (entry === undefined) return [`${name}: the lock file does not know this package`]
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

/** The version that a package in `folder` gets, by Node's search upwards through `node_modules`. */
function findLocked(locked, folder, dependency) {
  const nested = locked[`${folder}/node_modules/${dependency}`]
  const entry = (folder === '' ? undefined : nested) ?? locked[`node_modules/${dependency}`]
  return entry?.link === true ? locked[entry.resolved]?.version : entry?.version
}

function checkAddresses(locked) {
  return Object.entries(locked)
    .filter(([, entry]) => /^[a-z+]+:\/\//i.test(entry.resolved ?? ''))
    .map(([location]) => `package-lock.json: ${location} names the address of a registry ("resolved")`)
}
