import type { EngineQuestion, PolicyFile } from '@agent-service/sdk/contracts/policy-engine'
import { policyEngines } from '@agent-service/sdk/contracts/policy-engine'
import { createTestContext, describePolicyEngine } from '@agent-service/sdk/testing'
import plugin from './index.js'
import { shippedFiles } from './shipped-files.test.js'

const question = (id: string, role = 'user', needsApproval = false): EngineQuestion => ({
  principal: { type: 'User', id },
  action: 'use_tool',
  resource: { type: 'Tool', id: 'search' },
  context: { needs_approval: needsApproval },
  entities: [
    { type: 'User', id, attributes: { role }, parents: [] },
    { type: 'Tool', id: 'search', attributes: { name: 'search' }, parents: [] },
  ],
})

/** The question of a user who belongs to a group. */
function memberOf(id: string): EngineQuestion {
  const { entities, ...asked } = question('ada')
  const group = { type: 'Group', id }
  const belonging = entities.map((entity) => (entity.type === 'User' ? { ...entity, parents: [group] } : entity))
  return { ...asked, entities: [...belonging, { ...group, attributes: {}, parents: [] }] }
}

const fileOf = (id: string, effect: 'permit' | 'forbid'): PolicyFile => ({
  name: `${id}.cedar`,
  text: `@id("${id}")\n@description("People and tools.")\n${effect} (principal is User, action == Action::"use_tool", resource);\n`,
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
    permitFile: fileOf('people-use-tools', 'permit'),
    forbidFile: fileOf('tools-are-closed', 'forbid'),
    byAttribute: {
      policy: 'permit (principal is User, action == Action::"use_tool", resource) when { principal.role == "guest" };',
      permitted: question('ada', 'guest'),
      denied: question('ada'),
    },
    byParents: {
      policy: 'permit (principal in Group::"editors", action == Action::"use_tool", resource);',
      permitted: memberOf('editors'),
      denied: memberOf('readers'),
    },
    byContext: {
      policy:
        'permit (principal is User, action == Action::"use_tool", resource) when { context has needs_approval && context.needs_approval };',
      permitted: question('ada', 'user', true),
      denied: question('ada'),
    },
    failing: 'permit (principal is User, action == Action::"use_tool", resource) when { 9223372036854775807 + 1 > 0 };',
  },
})
