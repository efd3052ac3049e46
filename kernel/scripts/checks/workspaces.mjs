import { existsSync, readdirSync } from 'node:fs'
import path from 'node:path'
import { listTestFiles } from '../lib/test-files.mjs'
import { listFiles, listWorkspaces, readJson } from '../lib/workspaces.mjs'

export const title = 'every package with code is compiled, every test is found, and the top level has only planned entries'
export const mend = 'List a new package under "references" of the root tsconfig.json; CONTRIBUTING.md lists what belongs at the top level.'

const topLevel = new Set([
  ...['kernel', 'plugins', 'sdk', 'examples', 'test', 'resources', 'node_modules'],
  ...['package.json', 'package-lock.json', 'tsconfig.json', 'README.md', 'CONTRIBUTING.md', 'CHANGELOG.md', 'LICENSE'],
  // the default data folder of a service that was started here, which git ignores
  'data',
])

/** Whether a plugin is only declared and has no rules: a manifest and nothing to compile. */
const isWithoutCode = (root, folder) =>
  readJson(path.join(root, folder, 'package.json')).agentService !== undefined && !existsSync(path.join(root, folder, 'src'))

/** Files that look like tests, and that no run of the tests finds. */
function lostTests(root, folder) {
  const found = new Set(listTestFiles(root, folder))
  const looksLikeTest = (file) => /\.(test|spec)s?\.[cm]?[jt]sx?$/.test(file) && !found.has(file)
  return listFiles(root, folder, looksLikeTest).map(
    (file) => `${file}: nothing runs it; tests are src/**/*.test.ts(x) and web/**/*.test.ts(x)`,
  )
}

export async function check({ root }) {
  const references = new Set((readJson(path.join(root, 'tsconfig.json')).references ?? []).map((reference) => reference.path))
  const problems = []
  for (const folder of listWorkspaces(root)) {
    const configuration = path.join(root, folder, 'tsconfig.json')
    if (!existsSync(configuration)) {
      if (!isWithoutCode(root, folder)) problems.push(`${folder}: tsconfig.json is missing`)
    } else if (!references.has(folder)) problems.push(`${folder}: the root tsconfig.json does not reference it`)
    if (existsSync(configuration) && readJson(configuration).compilerOptions?.emitDecoratorMetadata === true) {
      problems.push(`${folder}/tsconfig.json: emitDecoratorMetadata must stay off; tokens are named explicitly`)
    }
    problems.push(...lostTests(root, folder))
  }
  for (const name of readdirSync(root)) {
    if (!name.startsWith('.') && !topLevel.has(name) && !name.endsWith('.tgz')) problems.push(`${name}: does not belong at the top level`)
  }
  return problems
}
