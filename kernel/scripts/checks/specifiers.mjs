import path from 'node:path'
import { listSpecifiers, locate, readSources } from '../lib/source-files.mjs'

export const title = 'packages are imported through their entry points'
export const mend = 'Import a package by its name and one of the entry points in its "exports"; everything else is internal.'

export async function check({ root }) {
  const problems = []
  for (const { workspace, source } of readSources(root)) {
    for (const { text, node } of listSpecifiers(source)) {
      if (/^@agent-service\/[^/]+\/(dist|src|bin)(\/|$)/.test(text)) {
        problems.push(`${locate(source, node)} imports internals of a package: "${text}"`)
      }
      if (text.startsWith('.') && leaves(workspace, source.fileName, text)) {
        problems.push(`${locate(source, node)} leaves its package with a relative path: "${text}"`)
      }
    }
  }
  return problems
}

function leaves(workspace, file, specifier) {
  return !path.posix.join(path.posix.dirname(file), specifier).startsWith(`${workspace}/`)
}
