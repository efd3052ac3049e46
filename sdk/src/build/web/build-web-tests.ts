import { rm } from 'node:fs/promises'
import path from 'node:path'
import { pluginBuildError } from '../common/build-errors.js'
import { isShared } from './shared-modules.js'
import { loadWebTools } from './vite.js'
import { isOfRunner, listWebTests, testConfiguration, testInputs } from './web-test-configuration.js'

/** Solid, and what compiled components import in its place, as the kit for tests has them. */
const solidModule = '@agent-service/sdk/web/solid'

/** What the tests of a plugin import and do not contain: they run with the one copy of the kit. */
const isExternal = (specifier: string): boolean =>
  isShared(specifier) || isOfRunner(specifier) || /^@agent-service\/sdk(\/|$)/.test(specifier)

/** So named that no package takes them along, nor a runner for tests. */
const partNames = 'parts/[name]-[hash].test.part.js'

const placeOf = (specifier: string): string =>
  /^(solid-js(\/|$)|@agent-service\/sdk\/web\/dom$)/.test(specifier) ? solidModule : specifier

/**
 * Builds the tests in `web` of a plugin (`*.test.ts`, `*.test.tsx`) into `dist/web-tests`, at the same paths, with the compiler
 * of the screens. They run in Node by any runner. Resolves with their names; without tests the folder is removed.
 * @throws a `plugin_build_failed` error with what Vite says
 */
export async function buildWebTests(pluginFolder: string): Promise<readonly string[]> {
  const root = path.resolve(pluginFolder)
  const outDir = path.join(root, 'dist', 'web-tests')
  const tests = await listWebTests(root)
  if (tests.length === 0) {
    await rm(outDir, { recursive: true, force: true })
    return []
  }
  const { vite, solid } = loadWebTools(root)
  const inputs = testInputs(root, tests)
  const configuration = testConfiguration({ root: path.join(root, 'web'), outDir, inputs, solid, isExternal, partNames, paths: placeOf })
  try {
    await vite.build(configuration)
  } catch (error) {
    const reason = `the tests in web could not be built: ${error instanceof Error ? error.message : String(error)}`
    throw pluginBuildError.create({ folder: pluginFolder, reason }, { cause: error })
  }
  return tests
}
