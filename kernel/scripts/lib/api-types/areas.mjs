import { existsSync } from 'node:fs'
import path from 'node:path'
import { listWorkspaces, readJson } from '../workspaces.mjs'

/** The names of its area in a web folder, and of the types that are generated from it. */
export const areaFile = 'api/areas.json'
/** No `.d.ts`, which the compiler would leave out of what it emits: the published kit names these types. */
export const typesFile = 'api/schema.ts'

/**
 * The web folders that say which area of the API they use, relative to the root: `paths` has prefixes of paths, by whole
 * segments; `events` names of events, `task.*` for all that begin so; `schemas`, which may be missing, what else the folder
 * names.
 */
export function listAreas(root) {
  return listWorkspaces(root)
    .map((workspace) => `${workspace}/web`)
    .filter((folder) => existsSync(path.join(root, folder, areaFile)))
    .map((folder) => ({ folder, area: readArea(root, folder) }))
}

function readArea(root, folder) {
  const { paths, events, schemas = [], ...others } = readJson(path.join(root, folder, areaFile))
  const isListOfNames = (list) => Array.isArray(list) && list.every((name) => typeof name === 'string')
  if (![paths, events, schemas].every(isListOfNames) || Object.keys(others).length > 0)
    throw new Error(`${folder}/${areaFile} has to be { "paths": […], "events": […], "schemas": […] } with names alone.`)
  return { paths, events, schemas }
}

export const segmentsOf = (route) => route.split('/').filter((segment) => segment !== '')

/** Whether a path is one of an entry of `paths`. */
export function isBelow(route, prefix) {
  const segments = segmentsOf(route)
  return segmentsOf(prefix).every((segment, index) => segment === segments[index])
}

/** Whether an event is one of an entry of `events`. */
export function isEventOf(name, entry) {
  return entry.endsWith('.*') ? name.startsWith(entry.slice(0, -1)) : name === entry
}
