import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import { cruise } from 'dependency-cruiser'
import { listWorkspaces } from '../lib/workspaces.mjs'

export const title = 'packages import only what their layer allows'
export const mend = 'CONTRIBUTING.md ("Who may import whom") has the rule; .dependency-cruiser.cjs has it as code.'

export async function check({ root }) {
  const configuration = createRequire(import.meta.url)(path.join(root, '.dependency-cruiser.cjs'))
  const { output } = await cruise(sourceFolders(root), {
    ...configuration.options,
    ruleSet: { forbidden: configuration.forbidden },
    validate: true,
    baseDir: root,
    outputType: 'json',
  })
  const { summary } = typeof output === 'string' ? JSON.parse(output) : output
  return summary.violations.map(({ rule, from, to, cycle }) => {
    const target = cycle === undefined ? to : cycle.map((step) => step.name).join(' → ')
    return `${rule.name}: ${from}${target === from ? '' : ` → ${target}`}`
  })
}

function sourceFolders(root) {
  return listWorkspaces(root)
    .map((folder) => `${folder}/src`)
    .filter((folder) => existsSync(path.join(root, folder)))
}
