import { createControlledClock } from '@agent-service/kernel-core/clock/testing'
import { openTestDatabase } from '@agent-service/kernel-core/database/testing'
import { runWithin } from '@agent-service/kernel-core/work'
import { defineCollection } from '@agent-service/sdk/services/database'
import { expect } from 'chai'
import { createAuditLog } from './audit-log.js'
import { auditEvents } from './audit-records.js'
import { createPluginAudit } from './plugin-audit.js'

const doors = defineCollection<{ readonly id: string; readonly isOpen: boolean }>()({ name: 'house.doors', version: 1, indexes: {} })

describe('the audit log of a plugin', () => {
  const open = async () => {
    const { database: kernelDatabase, end } = await openTestDatabase({})
    const database = await kernelDatabase.openFor('kernel', [auditEvents])
    const house = await kernelDatabase.openFor('feature-house', [doors])
    const audit = createAuditLog({ database, clock: createControlledClock() })
    return {
      audit,
      end,
      house,
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
      expect((await audit.list({ kind: 'door.opened' })).items).to.have.length(1)
    } finally {
      await end()
    }
  })

  it('stores an event together with its change, or neither', async () => {
    const { audit, own, house, end } = await open()
    const openDoor = (work: () => void = () => undefined): Promise<void> =>
      house.transaction(async (transaction) => {
        transaction.put(doors, { id: 'front', isOpen: true })
        own.record(transaction, { kind: 'door.opened', subject: 'front', before: { open: false }, after: { open: true } })
        work()
      })
    try {
      const stuck = new Error('stuck')
      const failed: unknown = await openDoor(() => {
        throw stuck
      }).catch((error: unknown) => error)
      expect(failed).to.equal(stuck)
      expect([await house.collection(doors).get('front'), (await audit.list({})).items]).to.deep.equal([undefined, []])
      await openDoor()
      const [noted] = (await audit.list({})).items
      expect(noted).to.deep.include({ kind: 'door.opened', subject_id: 'front', before: { open: false }, after: { open: true } })
      expect(noted?.details).to.deep.equal({ plugin: 'feature-house' })
    } finally {
      await end()
    }
  })

  it('names the user of the request if the plugin names no actor', async () => {
    const { audit, own, end } = await open()
    const operation = {
      ...{ operationId: 'openDoor', requestId: 'request-1', address: '192.0.2.7', userId: 'ada' },
      ...{ sessionId: 'session-1', tokenId: null, open: true, noted: false },
    }
    try {
      await runWithin({ operation }, () => own.note({ kind: 'door.opened' }))
      const [noted] = (await audit.list({})).items
      expect(noted).to.include({
        actor_id: 'ada',
        address: '192.0.2.7',
        session_id: 'session-1',
        request_id: 'request-1',
        operation: 'openDoor',
      })
      expect(operation.noted).to.equal(true)

      const another = { ...operation, noted: false }
      await runWithin({ operation: another }, () => own.note({ kind: 'door.opened', actor: { userId: 'bob', address: '::1' } }))
      const [ofBob] = (await audit.list({})).items
      expect(ofBob).to.include({ actor_id: 'bob', session_id: null, request_id: 'request-1' })
      expect(another.noted).to.equal(false)
    } finally {
      await end()
    }
  })

  for (const [what, event] of [
    ['a subject that is too long', { kind: 'door.opened', subject: 'x'.repeat(201) }],
    ['too much of what was and is', { kind: 'door.opened', before: { text: 'x'.repeat(2_500) }, after: { text: 'x'.repeat(2_500) } }],
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
