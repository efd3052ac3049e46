import { expect } from 'chai'
import type { SessionRecord, UserRecord } from '../records/records.js'
import { createHasSession } from './has-session.js'

describe('a session, as features ask for it', () => {
  const users = new Map([
    ['ada', { id: 'ada', session_epoch: 0, disabled: false } as UserRecord],
    ['gone', { id: 'gone', session_epoch: 0, disabled: true } as UserRecord],
  ])
  const sessionOf = (changes: Partial<SessionRecord>): SessionRecord =>
    ({ user_id: 'ada', epoch: 0, ended_at: null, expires_at: new Date(1_001).toISOString(), ...changes }) as SessionRecord
  const sessions = new Map([
    ['open', sessionOf({})],
    ['old', sessionOf({ expires_at: new Date(1_000).toISOString() })],
    ['left', sessionOf({ epoch: -1 })],
    ['off', sessionOf({ user_id: 'gone' })],
  ])
  const hasSession = createHasSession({
    accounts: { get: async (id) => users.get(id) },
    sessions: { live: async (id) => sessions.get(id) },
    clock: { now: () => 1_000 },
  })

  it('can be used by its user alone, until it ends, expires or is left behind, while the account is on', async () => {
    expect(await hasSession('ada', 'open')).to.equal(true)
    for (const [userId, sessionId] of [
      ['gone', 'open'],
      ['ada', 'old'],
      ['ada', 'left'],
      ['gone', 'off'],
      ['ada', 'none'],
    ] as const)
      expect(await hasSession(userId, sessionId), `${userId} ${sessionId}`).to.equal(false)
  })
})
