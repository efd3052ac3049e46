import path from 'node:path'
import { pathToFileURL } from 'node:url'

/** The OpenAPI document of the running service, its answers alone: problems all have one form. */
export async function readServiceDescription(root) {
  const { createTestKernel } = await import(pathToFileURL(path.join(root, 'kernel/cli/dist/testing/index.js')).href)
  const kernel = await createTestKernel()
  try {
    refuseMissing(kernel.plugins.report())
    return answersOnly(await (await fetch(new URL('/api/openapi.json', kernel.url))).json())
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

/** The document without its address and its problems. */
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
