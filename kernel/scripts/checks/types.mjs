import path from 'node:path'
import { runCommand } from '../lib/child-process.mjs'
import { repositoryRoot } from '../lib/workspaces.mjs'

export const title = 'the code compiles under the strict options'
export const mend = 'Fix the errors; "npm run build" shows them again.'

export async function check({ root }) {
  const compiler = path.join(repositoryRoot, 'node_modules/typescript/bin/tsc')
  const result = await runCommand(process.execPath, [compiler, '--build', '--pretty', 'false'], { cwd: root })
  return result.code === 0 ? [] : result.output.trimEnd().split('\n')
}
