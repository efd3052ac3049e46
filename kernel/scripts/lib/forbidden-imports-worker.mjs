/** A thread of the check "dependencies": looks for forbidden imports in some folders, and answers with a line for each. */
import { createRequire } from 'node:module'
import path from 'node:path'
import { parentPort, workerData } from 'node:worker_threads'
import { cruise } from 'dependency-cruiser'

const { root, folders } = workerData
const { options, forbidden } = createRequire(import.meta.url)(path.join(root, '.dependency-cruiser.cjs'))

/** Sources name the compiled file that they will have: so the source is found at the first attempt. */
const resolving = { extensionAlias: { '.js': ['.ts', '.tsx', '.js'] } }

const { output } = await cruise(
  folders,
  { ...options, ruleSet: { forbidden }, validate: true, baseDir: root, outputType: 'json' },
  resolving,
)
const { summary } = typeof output === 'string' ? JSON.parse(output) : output
parentPort.postMessage(summary.violations.map(describe))

function describe({ rule, from, to, cycle }) {
  const target = cycle === undefined ? to : cycle.map((step) => step.name).join(' → ')
  return `${rule.name}: ${from}${target === from ? '' : ` → ${target}`}`
}
