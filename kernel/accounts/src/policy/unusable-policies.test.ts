import { rejection } from '@agent-service/kernel-core/database/testing'
import { type PolicyEngine, policyEngineFailedError, policyEngines } from '@agent-service/sdk/contracts/policy-engine'
import { expect } from 'chai'
import { openPoliciesUnderTest, resourcesWith } from './testing/policies-under-test.js'
import { callOf, principalOf, testRoute } from './testing/questions.js'
import { openShippedEngine } from './testing/shipped-engine.js'

describe('policies that cannot be used', () => {
  const fail = () => Promise.reject(policyEngineFailedError.create({ reason: 'no such file' }))
  const broken: PolicyEngine = {
    ...{ specVersion: 1, id: 'broken', title: 'Broken', fileEndings: ['.broken'] },
    ...{ prepare: fail, load: fail, decide: fail, rehearse: fail, check: fail },
  }

  it('deny everything with a reason, once the engine fails', async () => {
    const policies = await openPoliciesUnderTest({ engine: broken, routes: [testRoute('user')] })
    let reported = 0
    policies.onFailureChange(() => reported++)
    expect((await policies.service.isAuthorized(callOf('ada'))).allowed).to.equal(false)
    const error = await rejection(policies.routeAccess.mayCall(principalOf('ada', 'admin'), testRoute('user')))
    expect([error.code, error.status]).to.deep.equal(['policies_unavailable', 503])
    expect(error.message).to.not.include('no such file')
    expect([policies.failure(), reported]).to.deep.equal(['no such file', 1])
    expect(policies.log.lines.filter(({ level }) => level === 'error')).to.have.length(1)
    await policies.end()
  })

  it('deny everything without an engine, with two engines, and after one has stopped', async () => {
    const { engine, close } = await openShippedEngine()
    const policies = await openPoliciesUnderTest({ engine: 'none', routes: [testRoute('user')] })
    const isAllowed = async (): Promise<boolean> => (await policies.service.isAuthorized(callOf('ada'))).allowed
    const mayCall = () => policies.routeAccess.mayCall(principalOf('ada', 'admin'), testRoute('user'))
    const admit = (plugin: string, id: string) => {
      const value: PolicyEngine = { ...engine, id }
      return policies.contributions.admit(plugin, [{ point: policyEngines.id, key: id, value }])
    }
    try {
      expect(policies.failure()).to.equal('no plugin has an engine')
      expect(await isAllowed()).to.equal(false)
      expect((await rejection(mayCall())).code).to.equal('policies_unavailable')

      const only = admit('policy-cedar', 'cedar')
      expect([await isAllowed(), await mayCall(), policies.failure()]).to.deep.equal([true, true, undefined])

      const second = admit('policy-other', 'other')
      expect(policies.failure()).to.match(/“policy-cedar” and “policy-other” are all policy engines.*list the others in plugins\.disabled/)
      expect(await isAllowed()).to.equal(false)
      second.withdraw()
      expect(await isAllowed()).to.equal(true)

      only.withdraw()
      expect(policies.failure()).to.equal('no plugin has an engine')
      expect(await isAllowed()).to.equal(false)
      expect((await rejection(mayCall())).code).to.equal('policies_unavailable')
      const reported = policies.log.lines.filter(({ level }) => level === 'error').map(({ fields }) => fields?.['reason'])
      expect(reported).to.include('no plugin has an engine')
    } finally {
      await policies.end()
      await close()
    }
  })

  it('deny an action that an engine permits with an error or does not answer', async () => {
    const allowed = { allowed: true, policyIds: ['one'], errors: [] }
    const answers = [
      [{ ...allowed, errors: [{ policyId: 'one', message: 'overflow' }] }],
      [{ ...allowed, allowed: 'yes' as never }],
      [],
      [allowed],
    ]
    const engine: PolicyEngine = {
      ...broken,
      load: async () => ({ outcome: 'loaded', shipped: [], dependsOnUserIds: true }),
      decide: async () => ({ outcome: 'decided', decisions: answers.shift() ?? [] }),
    }
    const policies = await openPoliciesUnderTest({ engine, routes: [testRoute('user')] })
    const decided: boolean[] = []
    for (let turn = 0; turn < 4; turn++) {
      decided.push((await policies.service.isAuthorized(callOf('ada'))).allowed)
      policies.rolesChanged()
    }
    expect(decided).to.deep.equal([false, false, false, true])
    await policies.end()
  })

  it('deny everything while a shipped file does not parse, and are in force again soon after it does', async () => {
    const files: Record<string, string> = { 'policy/own.cedar': '@id("own")\npermit (principal, action, resource;' }
    const policies = await openPoliciesUnderTest({ resources: resourcesWith(files), routes: [testRoute('user')] })
    try {
      expect((await policies.service.isAuthorized(callOf('ada'))).allowed).to.equal(false)
      expect(policies.failure()).to.match(/^own\.cedar:2:36: /)
      files['policy/own.cedar'] = ''
      expect((await policies.service.isAuthorized(callOf('ada'))).allowed).to.equal(false)
      await policies.clock.advance(5_001)
      expect((await policies.service.isAuthorized(callOf('ada'))).allowed).to.equal(true)
      expect(policies.failure()).to.equal(undefined)
    } finally {
      await policies.end()
    }
  })
})
