import { expect } from 'chai'
import { at, read, remember, type Step, send, subjectIs } from './step.js'

const policyText = 'permit(principal == User::"nobody", action, resource);'
const policiesPath = '/api/admin/policies'

/** Policies. */
export const policySteps: Readonly<Record<string, Step>> = {
  createPolicy: {
    call: (world) => remember(world, 'policy', send(world, 'POST', policiesPath, { text: policyText, enabled: false })),
    noted: 'policy.created',
    check(entry, world) {
      subjectIs('policy')(entry, world)
      expect([entry.before, entry.after]).to.deep.equal([null, { text: policyText, description: '', effect: 'permit', enabled: false }])
    },
  },
  listPolicies: read(policiesPath),
  getPolicy: read((world) => `${policiesPath}/${at(world, 'policy')}`),
  checkPolicy: { call: (world) => send(world, 'POST', `${policiesPath}/check`, { text: policyText }) },
  explainPolicyDecision: {
    call: (world) =>
      send(world, 'POST', `${policiesPath}/explain`, {
        principal: { type: 'User', id: world.admin.userId },
        action: 'callRoute',
        resource: { type: 'Route', id: 'listUsers' },
      }),
  },
  changePolicy: {
    call: (world) =>
      send(world, 'PUT', `${policiesPath}/${at(world, 'policy')}`, { text: policyText, description: 'Lets nobody in.', enabled: true }),
    noted: 'policy.changed',
    check(entry, world) {
      subjectIs('policy')(entry, world)
      expect(entry.before).to.deep.equal({ description: '', enabled: false })
      expect(entry.after).to.deep.equal({ description: 'Lets nobody in.', enabled: true })
    },
  },
  deletePolicy: {
    call: (world) => send(world, 'DELETE', `${policiesPath}/${at(world, 'policy')}`),
    noted: 'policy.deleted',
    check(entry, world) {
      subjectIs('policy')(entry, world)
      expect([entry.before?.['text'], entry.after]).to.deep.equal([policyText, null])
    },
  },
}
