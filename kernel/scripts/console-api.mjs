/**
 * Generates the types of the API client of each web folder from the OpenAPI document of the running service: of the paths
 * and events that its `api/areas.json` names, and the schemas that they reach.
 *
 * `node kernel/scripts/console-api.mjs` compares them with the compiled kernel and plugins, and the areas with what the
 * sources mention; `--write` updates the types. `--areas <folder> …` writes `api/areas.json` of web folders by what their
 * sources mention.
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { areaFile, listAreas, typesFile } from './lib/api-types/areas.mjs'
import { areaOf, findUnmentioned } from './lib/api-types/find-area.mjs'
import { findMentions } from './lib/api-types/mentions.mjs'
import { renderTypes } from './lib/api-types/render-types.mjs'
import { selectArea } from './lib/api-types/select-area.mjs'
import { readServiceDescription } from './lib/api-types/service-description.mjs'
import { writeManifests } from './lib/build-stage.mjs'
import { repositoryRoot } from './lib/workspaces.mjs'

const toWrite = 'run node kernel/scripts/console-api.mjs --write'

/**
 * What is wrong with the areas and the types of all web folders, by the OpenAPI document. With `write`, types that are out
 * of date are written instead.
 */
export async function checkApiTypes(root, description, { write = false } = {}) {
  const problems = []
  for (const { folder, area } of listAreas(root)) {
    const selected = selectArea(description, area)
    const unmentioned = findUnmentioned(area, findMentions(root, folder, description)).filter((entry) => !selected.unknown.includes(entry))
    problems.push(
      ...selected.unknown.map((entry) => `${folder}/${areaFile}: the service has no ${entry}`),
      ...selected.needless.map((name) => `${folder}/${areaFile}: ${name} comes with a path or an event of the area`),
      ...unmentioned.map((entry) => `${folder}/${areaFile}: nothing in the folder mentions ${entry}`),
    )
    if (selected.unknown.length > 0) continue
    const file = path.join(root, folder, typesFile)
    const text = await renderTypes(selected.description)
    if (existsSync(file) && readFileSync(file, 'utf8') === text) continue
    if (write) writeFileSync(file, text)
    else problems.push(`${folder}/${typesFile} is out of date: ${toWrite}`)
  }
  return problems
}

/** Writes the area of a web folder by what its sources mention. */
export function writeArea(root, folder, description) {
  const file = path.join(root, folder, areaFile)
  mkdirSync(path.dirname(file), { recursive: true })
  writeFileSync(file, `${JSON.stringify(areaOf(findMentions(root, folder, description), description), undefined, 2)}\n`)
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const [option, ...folders] = process.argv.slice(2)
  await writeManifests(repositoryRoot)
  const description = await readServiceDescription(repositoryRoot)
  if (option === '--areas') for (const folder of folders) writeArea(repositoryRoot, path.posix.normalize(`${folder}/.`), description)
  else {
    const problems = await checkApiTypes(repositoryRoot, description, { write: option === '--write' })
    for (const problem of problems) process.stderr.write(`${problem}\n`)
    process.exitCode = problems.length > 0 ? 1 : 0
  }
}
