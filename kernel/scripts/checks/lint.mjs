import path from 'node:path'
import { runCommand } from '../lib/child-process.mjs'
import { repositoryRoot } from '../lib/workspaces.mjs'

export const title = 'lint and format'
export const mend = '"npx biome check --write" fixes what it can; .biome.json has the rules.'

export async function check({ root }) {
  const biome = path.join(repositoryRoot, 'node_modules/@biomejs/biome/bin/biome')
  const result = await runCommand(
    process.execPath,
    [
      biome,
      'check',
      '--config-path',
      path.join(root, '.biome.json'),
      '--error-on-warnings',
      '--colors=off',
      '--reporter=json',
      '--max-diagnostics=200',
      '.',
    ],
    { cwd: root },
  )
  if (result.code === 0) return []
  return readDiagnostics(result.output) ?? result.output.trimEnd().split('\n')
}

function readDiagnostics(output) {
  const line = output.split('\n').find((text) => text.startsWith('{'))
  if (line === undefined) return undefined
  const { diagnostics } = JSON.parse(line)
  return diagnostics.map(({ category, location, message }) => {
    const start = location?.start === undefined ? '' : `:${location.start.line}:${location.start.column}`
    return `${location?.path?.file ?? location?.path ?? ''}${start} ${category}: ${typeof message === 'string' ? message : JSON.stringify(message)}`
  })
}
