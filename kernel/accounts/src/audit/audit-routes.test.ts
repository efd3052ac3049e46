import { createControlledClock } from '@agent-service/kernel-core/clock/testing'
import { openTestDatabase } from '@agent-service/kernel-core/database/testing'
import { validate } from '@agent-service/sdk'
import type { RouteRequest } from '@agent-service/sdk/contracts/http-route'
import { expect } from 'chai'
import { createAuditLog } from './audit-log.js'
import { type AuditRecord, auditEvents } from './audit-records.js'
import { createAuditRoutes } from './audit-routes.js'
import { createAuditUserData } from './audit-user-data.js'

/** Entries as written by releases before 2026-11. */
const earlier: readonly AuditRecord[] = [
  {
    ...{ id: '0190aaaa-0000-7000-8000-000000000001', at: '2026-11-01T10:00:00.000Z', kind: 'username.changed' },
    ...{ actor_id: 'bob', subject_id: 'bob', address: '192.0.2.7', details: { from: 'bob-the-builder', to: 'robert' } },
  },
  {
    ...{ id: '0190aaaa-0000-7000-8000-000000000002', at: '2026-11-01T11:00:00.000Z', kind: 'account.deleted' },
    ...{ actor_id: 'ada', subject_id: 'bob', address: '192.0.2.8', details: { username: 'robert' } },
  },
  {
    ...{ id: '0190aaaa-0000-7000-8000-000000000003', at: '2026-11-01T12:00:00.000Z', kind: 'token.created' },
    ...{ actor_id: 'ada', subject_id: 'ada', address: '192.0.2.8', details: { token_id: 't', name: 'of ada' } },
  },
]

describe('entries of the audit log that earlier releases wrote', () => {
  const open = async () => {
    const { database: kernelDatabase, end } = await openTestDatabase({})
    const database = await kernelDatabase.openFor('kernel', [auditEvents])
    for (const entry of earlier) await database.collection(auditEvents).insert(entry)
    const audit = createAuditLog({ database, clock: createControlledClock() })
    return { database, audit, end }
  }

  it('are listed with null for unknown members', async () => {
    const { audit, end } = await open()
    try {
      const [route] = createAuditRoutes({ audit, usernameOf: async () => undefined })
      const response = await route?.handle({ query: { limit: 10 } } as RouteRequest)
      if (response?.kind !== 'json') throw new Error('It is no JSON.')
      const { items } = response.json as { readonly items: readonly object[] }
      expect(items[0]).to.deep.include({
        kind: 'token.created',
        source: null,
        session_id: null,
        request_id: null,
        before: null,
        after: null,
      })
      const schema = route?.answers[200]?.schema
      if (!schema) throw new Error('It has no schema.')
      expect(validate(schema, response.json)).to.deep.equal([])
    } finally {
      await end()
    }
  })

  it('lose the names of an erased account, also after an interruption, and keep those of others', async () => {
    const { database, audit, end } = await open()
    const { signal } = new AbortController()
    try {
      const userData = createAuditUserData({ database })
      for (let time = 0; time < 2; time++) await userData.erase('bob', { signal })
      const { items } = await audit.list({})
      expect(items.map(({ subject_id, details }) => [subject_id, details])).to.deep.equal([
        ['ada', { token_id: 't', name: 'of ada' }],
        ['bob', {}],
        ['bob', {}],
      ])
    } finally {
      await end()
    }
  })
})
