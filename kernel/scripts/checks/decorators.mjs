import ts from 'typescript'
import { locate, readSources, visitAll } from '../lib/source-files.mjs'

export const title = 'decorators stay inside the kernel'
export const mend = 'Use a factory function with its dependencies in an object.'

export async function check({ root }) {
  const problems = []
  for (const { source } of readSources(root, (file) => !file.startsWith('kernel/'))) {
    visitAll(source, (node) => {
      if (ts.isDecorator(node)) problems.push(`${locate(source, node)} uses a decorator: ${node.getText(source)}`)
    })
  }
  return problems
}
