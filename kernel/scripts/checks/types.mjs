import { compiler } from '../lib/build-stage.mjs'
import { runCommand } from '../lib/child-process.mjs'

export const title = 'the code compiles under the strict options'
export const mend = 'Fix the errors; "npm run build" shows them again.'

export async function check({ root }) {
  const result = await runCommand(process.execPath, [compiler, '--build', '--pretty', 'false'], { cwd: root })
  return result.code === 0 ? [] : result.output.trimEnd().split('\n')
}
