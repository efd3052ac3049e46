import type { EngineQuestion, PolicyFile } from '@agent-service/sdk/contracts/policy-engine'
import { policyEngines } from '@agent-service/sdk/contracts/policy-engine'
import { createTestContext, describePolicyEngine } from '@agent-service/sdk/testing'
import plugin from './index.js'
import { shippedFiles } from './shipped-files.test.js'

const question = (id: string): EngineQuestion => ({
  principal: { type: 'User', id },
  action: 'use_tool',
  resource: { type: 'Tool', id: 'search' },
  context: { needs_approval: false },
  entities: [
    { type: 'User', id, attributes: { role: 'user' }, parents: [] },
    { type: 'Tool', id: 'search', attributes: { name: 'search' }, parents: [] },
  ],
})

const files: readonly PolicyFile[] = await shippedFiles()
const disposers: (() => Promise<unknown>)[] = []

describePolicyEngine({
  name: 'policy-cedar',
  async create() {
    const test = createTestContext(plugin)
    disposers.push(() => test.dispose())
    await test.setup()
    const [engine] = test.contributed(policyEngines)
    if (!engine) throw new Error('The plugin has no engine.')
    return engine
  },
  async dispose() {
    await Promise.all(disposers.splice(0).map((dispose) => dispose()))
  },
  example: {
    files,
    questions: [question('ada'), question('eve')],
    permit: 'permit (principal is User, action == Action::"use_tool", resource);',
    forbid: 'forbid (principal is User, action == Action::"use_tool", resource);',
    permitFirst: 'permit (principal == User::"ada", action == Action::"use_tool", resource);',
    bad: 'allow everything',
  },
})
