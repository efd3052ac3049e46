import { readFile } from 'node:fs/promises'
import type { PolicyRequest } from '@agent-service/sdk/services/policy'
import { expect } from 'chai'
import { ada, openPoliciesUnderTest, type PoliciesUnderTest } from './testing/policies-under-test.js'
import { callOf, testRoute } from './testing/questions.js'

const someone = '0190a0a0-0000-7000-8000-000000000001'

/** An agent of eve's wants to use a tool that is not safe to repeat. */
const useOf = (tool: string, context: { readonly needs_approval?: boolean } = {}): PolicyRequest => {
  const owner = { __entity: { type: 'User', id: 'eve' } }
  return {
    principal: { type: 'Agent', id: 'agent-of-eve', attributes: { owner }, parents: [{ type: 'User', id: 'eve' }] },
    action: 'use_tool',
    resource: { type: 'Tool', id: tool, attributes: { name: tool, effect: 'unsafe' }, parents: [{ type: 'Plugin', id: 'a-plugin' }] },
    context,
  }
}

/** An agent of eve's with this handle wants to change a report in its workspace. */
const reportBy = (handle: string): PolicyRequest => {
  const owner = { __entity: { type: 'User', id: 'eve' } }
  const path = 'workspaces/agent-of-eve/reports/may.md'
  return {
    principal: { type: 'Agent', id: 'agent-of-eve', attributes: { owner, handle }, parents: [{ type: 'User', id: 'eve' }] },
    action: 'write_file',
    resource: { type: 'File', id: path, attributes: { path, owner } },
  }
}

/** Eve wants to read one of her files. */
const readOf = (path: string): PolicyRequest => ({
  principal: { type: 'User', id: 'eve' },
  action: 'read_file',
  resource: { type: 'File', id: path, attributes: { path, owner: { __entity: { type: 'User', id: 'eve' } } } },
})

/** The effect of each example: what it forbids, and what it does not affect. */
const meant: readonly { readonly names: string; readonly denies: PolicyRequest; readonly allows: PolicyRequest }[] = [
  { names: 'Route::"createMessage"', denies: callOf(someone, 'createMessage'), allows: callOf('eve', 'createMessage') },
  { names: 'Route::"createToken"', denies: callOf('eve', 'createToken'), allows: callOf('ada', 'createToken') },
  { names: 'Route::"changeConfiguration"', denies: callOf('ada', 'changeConfiguration'), allows: callOf(someone, 'changeConfiguration') },
  { names: 'Tool::"delete_file"', denies: useOf('delete_file'), allows: useOf('read_file') },
  { names: 'needs_approval', denies: useOf('pay', { needs_approval: false }), allows: useOf('pay', { needs_approval: true }) },
  { names: 'workspaces/*/reports/*', denies: reportBy('assistant'), allows: reportBy('editor') },
  {
    names: 'workspaces/*/confidential*',
    denies: readOf('workspaces/a/confidential/plan.md'),
    allows: readOf('workspaces/a/plan.md'),
  },
]

describe('kernel/docs/policies.md', () => {
  let policies: PoliciesUnderTest
  let page: string

  before(async () => {
    page = await readFile(new URL('../../../docs/policies.md', import.meta.url), 'utf8')
    const operations = ['createMessage', 'createToken', 'changeConfiguration', 'deleteUser']
    policies = await openPoliciesUnderTest({ routes: operations.map((operationId) => ({ ...testRoute('user'), operationId })) })
    policies.roles.set(someone, 'user')
  })
  after(() => policies.end())
  const blocks = (language: string): readonly string[] =>
    [...page.matchAll(new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\``, 'gm'))].map(([, text = '']) => text)
  const isAllowed = async (request: PolicyRequest): Promise<boolean> => (await policies.service.isAuthorized(request)).allowed

  it('has examples with the documented effect', async () => {
    expect(blocks('cedar')).to.have.length(meant.length)
    for (const text of blocks('cedar')) {
      const purpose = meant.find(({ names }) => text.includes(names))
      if (!purpose) throw new Error(`Nobody said what this is for: ${text}`)
      expect(await isAllowed(purpose.denies)).to.equal(true)
      expect(await policies.administration.check(text)).to.deep.include({ outcome: 'sound', warnings: [] })
      const { id } = await policies.administration.create({ text, description: '', enabled: true }, ada)
      expect([await isAllowed(purpose.denies), await isAllowed(purpose.allows)]).to.deep.equal([false, true])
      await policies.administration.delete(id, ada)
    }
  })

  it('has a valid question', async () => {
    const [text = ''] = blocks('json')
    const { allowed, errors } = await policies.administration.explain(JSON.parse(text) as PolicyRequest)
    expect([allowed, errors]).to.deep.equal([true, []])
  })
})
