import { expect } from 'chai'
import { mayReferToUsers } from './user-references.js'

describe('whether a policy names a user', () => {
  for (const [text, expected] of [
    ['permit (principal is User, action, resource);', false],
    ['permit (principal is User , action, resource) when { resource is User || principal is User };', false],
    ['forbid (principal == User::"ada", action, resource);', true],
    ['forbid (principal == User :: "ada", action, resource);', true],
    ['forbid (principal == User // a remark\n ::"ada", action, resource);', true],
    ['forbid (principal, action, resource) when { principal in [User::"ada"] };', true],
    ['forbid (principal in Group::"guests", action, resource);', false],
  ] as const)
    it(`is seen: ${text.replace('\n', ' ')}`, () => {
      expect(mayReferToUsers([{ id: '1', text }])).to.equal(expected)
    })
})
