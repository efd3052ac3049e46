import path from 'node:path'
import { isForTests, runWorkspaces } from '../lib/run-scope.mjs'
import { listSpecifiers, locate, readSources } from '../lib/source-files.mjs'

export const title = 'packages are imported through their entry points, and nothing that runs imports what is for tests'
export const mend =
  'Import a package by its name and one of the entry points in its "exports"; everything else is internal. "npm start" compiles no tests and no folders that are for them (kernel/scripts/lib/run-scope.mjs).'

export async function check({ root }) {
  const problems = []
  const running = runWorkspaces(root)
  for (const { workspace, source } of readSources(root)) {
    for (const { text, node } of listSpecifiers(source)) {
      if (/^@agent-service\/[^/]+\/(dist|src|bin)(\/|$)/.test(text)) {
        problems.push(`${locate(source, node)} imports internals of a package: "${text}"`)
      }
      if (text.startsWith('.') && leaves(workspace, source.fileName, text)) {
        problems.push(`${locate(source, node)} leaves its package with a relative path: "${text}"`)
      }
      if (running.includes(workspace) && runs(workspace, source.fileName) && isOfTests(workspace, source.fileName, text)) {
        problems.push(`${locate(source, node)} runs, and imports what is for tests: "${text}"`)
      }
    }
  }
  return problems
}

function leaves(workspace, file, specifier) {
  return !path.posix.join(path.posix.dirname(file), specifier).startsWith(`${workspace}/`)
}

const runs = (workspace, file) => file.startsWith(`${workspace}/src/`) && !isForTests(workspace, file)

function isOfTests(workspace, file, specifier) {
  if (specifier.startsWith('.')) return isForTests(workspace, path.posix.join(path.posix.dirname(file), specifier).replace(/\.js$/, '.ts'))
  return /^@agent-service\/kernel[^/]*\/(.+\/)?testing(\/|$)/.test(specifier)
}
