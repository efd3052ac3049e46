import { expect } from 'chai'
import { createControlledClock } from '../clock/index.js'
import { openTestDatabase } from '../database/testing/test-database.js'
import { createAuditLog } from './audit-log.js'
import { auditCollections } from './audit-records.js'
import { createPluginAudit } from './plugin-audit.js'

describe('the audit log as a plugin writes to it', () => {
  const open = async () => {
    const { database: kernelDatabase, end } = await openTestDatabase({})
    const database = await kernelDatabase.openFor('kernel', [...auditCollections])
    const audit = createAuditLog({ database, clock: createControlledClock() })
    return {
      audit,
      end,
      own: createPluginAudit({ audit, pluginId: 'feature-house', viewOf: (transaction) => kernelDatabase.kernelView(transaction) }),
    }
  }

  it('notes an event with the id of the plugin', async () => {
    const { audit, own, end } = await open()
    try {
      await own.note({ kind: 'door.opened', actor: { userId: 'me', address: '::1' }, details: { door: 'front', plugin: 'kernel' } })
      await own.note({ kind: 'door.closed' })
      const [closed, opened] = (await audit.list({})).items
      expect(opened).to.include({ kind: 'door.opened', actor_id: 'me', address: '::1', subject_id: null })
      expect(opened?.details).to.deep.equal({ door: 'front', plugin: 'feature-house' })
      expect(closed).to.include({ kind: 'door.closed', actor_id: null })
      expect((await audit.list({ by: { index: 'by_kind', value: 'door.opened' } })).items).to.have.length(1)
    } finally {
      await end()
    }
  })

  for (const [what, event] of [
    ['a kind of the service itself', { kind: 'account.deleted' }],
    ['a kind of one word', { kind: 'opened' }],
    ['a kind in other letters', { kind: 'Door.Opened' }],
    ['a kind that is too long', { kind: `door.${'o'.repeat(60)}` }],
    ['too much', { kind: 'door.opened', details: { text: 'x'.repeat(5_000) } }],
  ] as const)
    it(`refuses ${what}`, async () => {
      const { audit, own, end } = await open()
      try {
        const error: unknown = await own.note(event).catch((thrown: unknown) => thrown)
        expect(error).to.have.property('code', 'audit_event_invalid')
        expect((await audit.list({})).items).to.have.length(0)
      } finally {
        await end()
      }
    })
})
