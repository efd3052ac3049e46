import { expect } from 'chai'
import { at, plant, read, remember, type Step, send, subjectIs } from './step.js'

const usersPath = '/api/admin/users'

/** Users, with their sessions, identities and budgets. */
export const userSteps: Readonly<Record<string, Step>> = {
  createUser: {
    call: (world) => remember(world, 'bob', send(world, 'POST', usersPath, { username: 'bob', password: plant(world, 'password') })),
    noted: 'account.created',
    check(entry, world) {
      subjectIs('bob')(entry, world)
      expect([entry.before, entry.after]).to.deep.equal([null, { username: 'bob', role: 'user' }])
    },
  },
  listUsers: read(usersPath),
  createInvitation: {
    async call(world) {
      const answer = await remember(world, 'invitation', send(world, 'POST', '/api/admin/invitations', { name: 'Bob' }))
      world.secrets.set('invitation', String(answer.json['link']).replace(/^.*=/, ''))
      return answer
    },
    noted: 'invitation.created',
    check(entry, world) {
      subjectIs('invitation')(entry, world)
      expect(entry.after).to.include({ role: 'user', max_uses: 1, bound_to_email: false })
    },
  },
  listInvitations: read('/api/admin/invitations'),
  revokeInvitation: {
    call: (world) => send(world, 'DELETE', `/api/admin/invitations/${at(world, 'invitation')}`),
    noted: 'invitation.revoked',
    check: subjectIs('invitation'),
  },
  listAccountRequests: read('/api/admin/account-requests'),
  // Registration is open here. The tests of accounts look at the entries of people who wait.
  approveAccountRequest: { call: (world) => send(world, 'POST', '/api/admin/account-requests/none/approve'), statuses: [404] },
  refuseAccountRequest: { call: (world) => send(world, 'DELETE', '/api/admin/account-requests/none'), statuses: [404] },
  getUser: read((world) => `${usersPath}/${at(world, 'bob')}`),
  changeUser: {
    call: (world) => send(world, 'PATCH', `${usersPath}/${at(world, 'bob')}`, { role: 'admin', password: plant(world, 'next password') }),
    noted: 'account.changed',
    check(entry, world) {
      subjectIs('bob')(entry, world)
      expect(entry.before).to.deep.equal({ role: 'user', password: 'set' })
      expect(entry.after).to.deep.equal({ role: 'admin', password: 'changed' })
    },
  },
  listSessionsOfUser: read((world) => `${usersPath}/${at(world, 'bob')}/sessions`),
  endSessionsOfUser: {
    call: (world) => send(world, 'DELETE', `${usersPath}/${at(world, 'bob')}/sessions`),
    noted: 'session.ended',
    check(entry, world) {
      subjectIs('bob')(entry, world)
      expect(entry.details).to.deep.equal({ sessions: 'all' })
    },
  },
  endSessionOfUser: {
    async call(world) {
      const { json } = await world.client.send('POST', '/api/auth/login', {
        body: { username: 'bob', password: world.secrets.get('next password') },
      })
      const claims = JSON.parse(Buffer.from(String(json['access_token']).split('.')[1] ?? '', 'base64url').toString('utf8')) as {
        readonly sid: string
      }
      world.known.set('session of bob', claims.sid)
      return send(world, 'DELETE', `${usersPath}/${at(world, 'bob')}/sessions/${claims.sid}`)
    },
    noted: 'session.ended',
    check(entry, world) {
      subjectIs('bob')(entry, world)
      expect(entry.details).to.deep.equal({ session_id: at(world, 'session of bob') })
    },
  },
  listIdentitiesOfUser: read((world) => `${usersPath}/${at(world, 'bob')}/identities`),
  // The tests of single sign-on look at the entry of one that is there.
  unlinkIdentityOfUser: { call: (world) => send(world, 'DELETE', `${usersPath}/${at(world, 'bob')}/identities/none`), statuses: [404] },
  getUserDataSizes: read((world) => `${usersPath}/${at(world, 'bob')}/data`),
  setBudget: {
    call: (world) => send(world, 'PUT', `/api/admin/budgets/${at(world, 'bob')}`, { period: 'day', limit_tokens: 5 }),
    noted: 'budget.set',
    check(entry, world) {
      subjectIs('bob')(entry, world)
      expect([entry.before, entry.after]).to.deep.equal([null, { period: 'day', limit_usd: null, limit_tokens: 5 }])
    },
  },
  listBudgets: read('/api/admin/budgets'),
  removeBudget: {
    call: (world) => send(world, 'DELETE', `/api/admin/budgets/${at(world, 'bob')}`),
    noted: 'budget.removed',
    check(entry, world) {
      subjectIs('bob')(entry, world)
      expect([entry.before, entry.after]).to.deep.equal([{ period: 'day', limit_usd: null, limit_tokens: 5 }, null])
    },
  },
  deleteUser: {
    call: (world) => send(world, 'DELETE', `${usersPath}/${at(world, 'bob')}`),
    noted: 'account.deleted',
    check: subjectIs('bob'),
  },
  countShares: read('/api/admin/shares'),
  getUsageOfAll: read('/api/admin/usage'),
}
