import { rejection } from '@agent-service/kernel-core/database/testing'
import { expect } from 'chai'
import { auditEvents } from '../audit/index.js'
import type { PolicyInput } from './policy-administration.js'
import { maxStoredPolicies } from './stored-policies.js'
import { ada, openPoliciesUnderTest, type PoliciesUnderTest } from './testing/policies-under-test.js'

const call = { principal: { type: 'User', id: 'eve' }, action: 'call', resource: { type: 'Route', id: 'listPolicies' } }
const input = (text: string, more: Partial<PolicyInput> = {}): PolicyInput => ({ text, description: '', enabled: true, ...more })
const permitEve = 'permit (principal == User::"eve", action == Action::"call", resource);'
const harmless = (index: number): PolicyInput =>
  input(
    `forbid (principal == User::"u${index}", action == Action::"call", resource) when { resource.operation_id == "operation${index}" };`,
  )

describe('the administration of policies', () => {
  let policies: PoliciesUnderTest

  beforeEach(async () => {
    policies = await openPoliciesUnderTest()
  })
  afterEach(() => policies.end())
  const mayEve = async (): Promise<boolean> => (await policies.service.isAuthorized(call)).allowed
  const audited = async (): Promise<readonly string[]> => {
    const database = await policies.kernelDatabase.openFor('kernel', [auditEvents])
    const { items } = await database.collection(auditEvents).query({ index: 'by_time' })
    return items.map(({ kind, actor_id, address, details }) => `${kind} ${actor_id} ${address} ${JSON.stringify(details)}`)
  }

  it('applies every change from its acknowledgement on, and records it in the audit log', async () => {
    const { administration } = policies
    expect(await mayEve()).to.equal(false)
    const { id } = await administration.create(input(permitEve, { description: 'Eve helps out.' }), ada)
    expect(await mayEve()).to.equal(true)
    await administration.change(id, input(permitEve, { enabled: false }), ada)
    expect(await mayEve()).to.equal(false)
    await administration.change(id, input(permitEve), ada)
    expect(await mayEve()).to.equal(true)
    await administration.delete(id, ada)
    expect(await mayEve()).to.equal(false)
    const details = (enabled: boolean): string => JSON.stringify({ policy_id: id, effect: 'permit', enabled })
    expect(await audited()).to.deep.equal([
      `policy.created ada 192.0.2.7 ${details(true)}`,
      `policy.changed ada 192.0.2.7 ${details(false)}`,
      `policy.changed ada 192.0.2.7 ${details(true)}`,
      `policy.deleted ada 192.0.2.7 ${details(true)}`,
    ])
  })

  it('keeps policies over a restart', async () => {
    const made = await policies.administration.create(input(permitEve, { description: 'Eve helps out.' }), ada)
    policies = await policies.restart()
    expect(await mayEve()).to.equal(true)
    expect(await policies.administration.get(made.id)).to.deep.equal(made)
  })

  it('stores only valid policies, and reports line and column of a problem', async () => {
    const error = await rejection(policies.administration.create(input('permit (principal, action,\n resource) when { principle };'), ada))
    expect(error.code).to.equal('policy_invalid')
    expect(error).to.have.nested.property('problems[0].path', '/text')
    expect(error)
      .to.have.nested.property('problems[0].message')
      .that.matches(/^line 2, column 19: /)
    const { id } = await policies.administration.create(input(permitEve), ada)
    expect((await rejection(policies.administration.change(id, input('permit'), ada))).code).to.equal('policy_invalid')
    const tooDeep = `permit (principal, action, resource) when { ${'('.repeat(3_000)}true${')'.repeat(3_000)} };`
    expect((await rejection(policies.administration.create(input(tooDeep), ada))).code).to.equal('policy_invalid')
    expect(await mayEve()).to.equal(true)
    expect(await audited()).to.have.length(1)
  })

  for (const [what, text] of [
    ['a forbid for everybody', 'forbid (principal, action, resource);'],
    ['a forbid for admins', 'forbid (principal is User, action == Action::"call", resource is Route) when { principal.role == "admin" };'],
    ['a forbid for whoever asks', 'forbid (principal == User::"ada", action, resource);'],
    ['a forbid for one of the operations alone', 'forbid (principal, action, resource == Route::"deletePolicy");'],
    ['a forbid but for somebody else', 'forbid (principal, action == Action::"call", resource) unless { principal == User::"eve" };'],
  ] as const)
    it(`refuses ${what}: the admin could not undo it`, async () => {
      expect((await rejection(policies.administration.create(input(text), ada))).code).to.equal('policy_locks_out')
      const { id } = await policies.administration.create(input(text, { enabled: false }), ada)
      expect((await rejection(policies.administration.change(id, input(text), ada))).code).to.equal('policy_locks_out')
      expect((await policies.service.isAuthorized({ ...call, principal: { type: 'User', id: 'ada' } })).allowed).to.equal(true)
    })

  it('does not change shipped policies, and does not find unknown ones', async () => {
    const { administration } = policies
    for (const work of [
      () => administration.delete('admins-call-every-route', ada),
      () => administration.change('admins-call-every-route', input(permitEve), ada),
    ])
      expect((await rejection(work())).code).to.equal('policy_read_only')
    for (const work of [
      () => administration.delete('none', ada),
      () => administration.change('none', input(permitEve), ada),
      () => administration.get('none'),
    ])
      expect((await rejection(work())).code).to.equal('not_found')
    expect(await administration.get('admins-call-every-route')).to.include({ source: 'shipped', effect: 'permit' })
  })

  it('checks concurrent changes one after the other', async () => {
    const half = (role: string): PolicyInput =>
      input(
        `forbid (principal is User, action == Action::"call", resource) when { principal.role == "${role}" && resource.level == "admin" };`,
      )
    const results = await Promise.allSettled([
      ...Array.from({ length: 6 }, (_, index) => policies.administration.create(harmless(index), ada)),
      policies.administration.create(half('admin'), ada),
      policies.administration.create(half('user'), ada),
    ])
    expect(results.filter(({ status }) => status === 'rejected')).to.have.length(1)
    expect((await policies.administration.list()).filter(({ source }) => source === 'stored')).to.have.length(7)
  })

  it('explains a decision by the policies that led to it, and only to admins', async () => {
    const { administration } = policies
    const { id } = await administration.create(
      input('forbid (principal == User::"eve", action, resource);', { description: 'Not now.' }),
      ada,
    )
    const explained = await administration.explain({ ...call, resource: { type: 'Route', id: 'listPolicies' } })
    expect(explained.allowed).to.equal(false)
    expect(explained.policies.map((policy) => [policy.id, policy.source, policy.effect])).to.deep.equal([[id, 'stored', 'forbid']])
    const ofAdmin = await administration.explain({ ...call, principal: { type: 'User', id: 'ada' } })
    expect([ofAdmin.allowed, ofAdmin.policyIds]).to.deep.equal([true, ['admins-call-every-route']])
    const ofNobody = await administration.explain({ ...call, principal: { type: 'User', id: 'nobody' } })
    expect(ofNobody.errors).to.deep.equal([{ policyId: null, message: 'no usable User has the id “nobody”' }])
    const unfit = await administration.explain({ ...call, action: 'fly' })
    expect(unfit.errors[0]?.message).to.include('fly')
  })

  it('decides by 1,000 stored policies, accepts no more, and disables all of them', async function () {
    this.timeout(60_000)
    await policies.end()
    policies = await openPoliciesUnderTest({
      stored: Array.from({ length: maxStoredPolicies - 1 }, (_, index) => harmless(index).text),
    })
    const { administration } = policies
    const shipped = (await administration.list()).filter(({ source }) => source === 'shipped').length
    await administration.create(input(permitEve), ada)
    expect(await mayEve()).to.equal(true)
    expect((await administration.list()).length).to.equal(maxStoredPolicies + shipped)
    expect((await rejection(administration.create(harmless(7), ada))).code).to.equal('too_many_policies')
    expect(await administration.switchOff({ userId: null, address: null })).to.equal(maxStoredPolicies)
    expect(await mayEve()).to.equal(false)
  })
})
