/**
 * Generates the types of the console's API client from the OpenAPI document of the running service
 * (routes, schemas, events). `node kernel/scripts/console-api.mjs` compares them with the compiled
 * kernel and plugins; `--write` updates them.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import openapiTypescript, { astToString } from 'openapi-typescript'
import { writeManifests } from './lib/build-stage.mjs'
import { repositoryRoot } from './lib/workspaces.mjs'

/** Where the types are, relative to the root. */
export const apiTypesFile = 'plugins/feature-console/web/api/schema.d.ts'

/** The generated text. */
export async function renderApiTypes(root) {
  const { createTestKernel } = await import(pathToFileURL(path.join(root, 'kernel/cli/dist/testing/index.js')).href)
  const kernel = await createTestKernel()
  try {
    refuseMissing(kernel.plugins.report())
    const description = await (await fetch(new URL('/api/openapi.json', kernel.url))).json()
    const text = astToString(await openapiTypescript(answersOnly(description), { alphabetize: true, excludeDeprecated: false }))
    return `/** Generated from the OpenAPI document: node kernel/scripts/console-api.mjs --write */\n${withoutComments(text)}`
  } finally {
    await kernel.stop()
  }
}

/** A plugin that did not start has no routes, and their types would vanish. */
function refuseMissing(plugins) {
  const missing = plugins.filter(({ state }) => ['invalid', 'blocked', 'failed'].includes(state))
  const lines = missing.map(({ id, state, reason }) => `${id} is ${state}: ${reason}`)
  if (lines.length > 0) throw new Error(`These plugins did not start; run npm run build.\n${lines.join('\n')}`)
}

/** Without examples and descriptions, which change more often than the types do. */
function withoutComments(text) {
  return text.replace(/^\s*\/\*\*[\s\S]*?\*\/\n/gm, '')
}

/** The document without its address and its problems, which all have one form. */
function answersOnly({ servers: _, ...description }) {
  const paths = Object.entries(description.paths).map(([name, methods]) => [name, mapValues(methods, withoutProblems)])
  return { ...description, paths: Object.fromEntries(paths) }
}

const mapValues = (object, change) => Object.fromEntries(Object.entries(object).map(([name, value]) => [name, change(value)]))

function withoutProblems(operation) {
  if (operation.responses === undefined) return operation
  const answers = Object.entries(operation.responses).filter(([status]) => /^[23]/.test(status))
  return { ...operation, responses: Object.fromEntries(answers) }
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const file = path.join(repositoryRoot, apiTypesFile)
  await writeManifests(repositoryRoot)
  const text = await renderApiTypes(repositoryRoot)
  if (!existsSync(file) || readFileSync(file, 'utf8') !== text) {
    if (process.argv.includes('--write')) writeFileSync(file, text)
    else {
      process.stderr.write(`${apiTypesFile} is out of date: run node kernel/scripts/console-api.mjs --write\n`)
      process.exitCode = 1
    }
  }
}
