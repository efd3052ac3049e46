import { rejection } from '@agent-service/kernel-core/database/testing'
import type { JsonObject } from '@agent-service/sdk'
import type { PolicyRequest } from '@agent-service/sdk/services/policy'
import { expect } from 'chai'
import { ada, openPoliciesUnderTest, type PoliciesUnderTest } from './testing/policies-under-test.js'
import { callOf, principalOf, testRoute, tools, useOf } from './testing/questions.js'

describe('decisions by policy', () => {
  let policies: PoliciesUnderTest
  const routes = [testRoute('user'), testRoute('admin')]

  before(async () => {
    policies = await openPoliciesUnderTest({ routes })
  })
  after(() => policies.end())
  const isAllowed = async (request: PolicyRequest): Promise<boolean> => (await policies.service.isAuthorized(request)).allowed
  const withPolicy = async (text: string, work: () => Promise<void>): Promise<void> => {
    const { id } = await policies.administration.create({ text, description: '', enabled: true }, ada)
    await work()
    await policies.administration.delete(id, ada)
  }

  for (const [role, level, allowed] of [
    ['user', 'user', true],
    ['user', 'admin', false],
    ['admin', 'user', true],
    ['admin', 'admin', true],
  ] as const)
    it(`by default ${allowed ? 'lets' : 'does not let'} a role ${role} call a route of level ${level}`, async () => {
      const who = role === 'admin' ? 'ada' : 'eve'
      expect(await policies.routeAccess.mayCall(principalOf(who, role), testRoute(level))).to.equal(allowed)
      expect(await isAllowed(callOf(who, `test-${level}`))).to.equal(allowed)
    })

  it('denies actions without a policy', async () => {
    expect(await isAllowed(useOf())).to.equal(false)
  })

  it('lets a forbid override every permit', async () => {
    const forbid = 'forbid (principal is User, action == Action::"call", resource) when { principal.role == "user" };'
    await withPolicy('permit (principal, action, resource);', async () => {
      expect(await isAllowed(useOf())).to.equal(true)
      await withPolicy(forbid, async () => {
        expect(await isAllowed(callOf('eve'))).to.equal(false)
      })
    })
    expect(await isAllowed(callOf('eve'))).to.equal(true)
  })

  it('compares paths in one Unicode form, also where a policy was written in the other', async () => {
    const [composed, decomposed] = ['files/Gr\u00f6\u00dfe.md', 'files/Gro\u0308\u00dfe.md']
    const owner = { __entity: { type: 'User', id: 'eve' } }
    const readOf = (path: string): PolicyRequest => ({
      principal: { type: 'User', id: 'eve' },
      action: 'read_file',
      resource: { type: 'File', id: path, attributes: { path, owner } },
    })
    const forbid = `forbid (principal, action, resource is File) when { resource.path == "${decomposed}" };`
    await withPolicy(forbid, async () => {
      for (const path of [composed, decomposed]) expect(await isAllowed(readOf(path)), path).to.equal(false)
    })
    expect(await isAllowed(readOf(composed))).to.equal(true)
  })

  it('denies if the evaluation of any policy fails, a permit or not, and logs it', async () => {
    await withPolicy('permit (principal, action == Action::"use_tool", resource);', async () => {
      expect(await isAllowed(useOf())).to.equal(true)
      const network = { type: 'Network', id: 'n', attributes: { host: 'example.org', port: 443 } }
      const agent = {
        type: 'Agent',
        id: 'a',
        attributes: { owner: { __entity: { type: 'User', id: 'eve' } } },
        parents: [{ type: 'User', id: 'eve' }],
      }
      const connect: PolicyRequest = { principal: agent, action: 'connect', resource: network }
      await withPolicy('permit (principal, action == Action::"connect", resource);', async () => {
        expect(await isAllowed(connect)).to.equal(true)
        const failing =
          'forbid (principal, action == Action::"connect", resource) when { resource has port && resource.port * 9223372036854775807 < 0 };'
        await withPolicy(failing, async () => {
          expect(await isAllowed(connect)).to.equal(false)
          const reported = policies.log.lines.find(({ level, message }) => level === 'warn' && message.includes('a denial'))
          expect(JSON.stringify(reported?.fields)).to.include('integer overflow')
        })
      })
    })
  })

  const notFitting: readonly (readonly [string, PolicyRequest])[] = [
    ['an unknown user', callOf('nobody')],
    ['an unknown route', callOf('ada', 'noSuchRoute')],
    ['an unknown action', { ...callOf('ada'), action: 'fly' }],
    ['a resource that the action does not have', { ...callOf('ada'), resource: { type: 'User', id: 'eve' } }],
    ['an attribute of a wrong type', useOf({}, { name: 7 })],
    ['an attribute that is not in the schema', useOf({}, { name: 'search', more: true })],
    ['an attribute that lacks', useOf({}, {})],
    ['a context that does not fit', useOf({ needs_approval: 'yes' })],
    ['null', useOf({ needs_approval: null })],
    ['a lone surrogate', useOf({}, { name: '\ud800' })],
    ['a type that is no name', { ...useOf(), resource: { type: 'Tool::', id: 'x' } }],
    ['an id that is too long', { ...useOf(), resource: { type: 'Tool', id: 'x'.repeat(2_001), attributes: { name: 'x' } } }],
    ['a value of great depth', useOf(JSON.parse(`${'{"a":'.repeat(5_000)}1${'}'.repeat(5_000)}`) as JsonObject)],
    ['a value of great size', useOf({}, { name: 'x'.repeat(70_000) })],
    [
      'a role of one’s own making',
      { ...callOf('eve', 'test-admin'), principal: { type: 'User', id: 'eve', attributes: { role: 'admin' } } },
    ],
    [
      'a level of one’s own making',
      { ...callOf('eve'), resource: { type: 'Route', id: 'test-admin', attributes: { operation_id: 'x', level: 'user' } } },
    ],
  ]
  for (const [what, request] of notFitting)
    it(`denies ${what}`, async () => {
      await withPolicy('permit (principal, action == Action::"use_tool", resource);', async () => {
        expect(await isAllowed(useOf())).to.equal(true)
        expect(await isAllowed(request)).to.equal(false)
      })
    })

  it('ignores a role that the account no longer has', async () => {
    policies.roles.set('bob', 'user')
    await withPolicy('permit (principal == User::"someone", action, resource);', async () => {
      expect(await policies.routeAccess.mayCall(principalOf('bob', 'admin'), testRoute('admin'))).to.equal(false)
    })
  })

  it('rejects with the signal’s reason, and only with that', async () => {
    const reason = new Error('Enough.')
    expect(await rejection(policies.service.isAuthorized(useOf(), { signal: AbortSignal.abort(reason) }))).to.equal(reason)
    const controller = new AbortController()
    const waiting = rejection(
      policies.service.allowedOf({ principal: { type: 'User', id: 'eve' }, action: 'use_tool' }, tools(100), controller),
    )
    controller.abort(reason)
    expect(await waiting).to.equal(reason)
  })
})
