import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createControlledClock } from '@agent-service/kernel-core/clock/testing'
import { openTestDatabase, quietLog, rejection } from '@agent-service/kernel-core/database/testing'
import { expect } from 'chai'
import { type AuditEntry, createAuditLog } from './audit-log.js'
import { auditEvents, commandLine } from './audit-records.js'
import { notePending, takePending } from './pending-entries.js'

const entry: AuditEntry = {
  ...{ kind: 'plugin.removed', actor: commandLine('plugins remove'), subjectId: 'tool-dice' },
  before: { version: '1.0.0', source: 'hunter2-hunter2' },
}

describe('a pending audit entry of a command', () => {
  let folder: string
  let pending: string
  beforeEach(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'audit-pending-'))
    pending = path.join(folder, 'system', 'audit-pending')
  })
  afterEach(() => rm(folder, { recursive: true, force: true }))

  const open = async () => {
    const { database: kernelDatabase, end } = await openTestDatabase({})
    const database = await kernelDatabase.openFor('kernel', [auditEvents])
    const redactor = { text: (text: string) => text.replaceAll('hunter2-hunter2', '[redacted]') }
    const audit = createAuditLog({ database, redactor, clock: createControlledClock() })
    const warned: string[] = []
    const log = { ...quietLog, warn: (message: string) => void warned.push(message) }
    return { audit, end, warned, log }
  }

  it('is added once, with its time and without known secrets, also if a crash left it after it was stored', async () => {
    const { audit, end, log } = await open()
    try {
      await notePending(folder, entry, Date.parse('2026-11-23T10:00:00Z'))
      const [name = ''] = await readdir(pending)
      const left = await readFile(path.join(pending, name), 'utf8')
      await takePending(folder, { audit, log })
      await writeFile(path.join(pending, name), left)
      await takePending(folder, { audit, log })
      const { items } = await audit.list({})
      expect(items).to.have.length(1)
      expect(items[0]).to.deep.include({
        ...{ at: '2026-11-23T10:00:00.000Z', kind: 'plugin.removed', source: 'command_line', operation: 'plugins remove' },
        ...{ subject_id: 'tool-dice', before: { version: '1.0.0', source: '[redacted]' }, after: null },
      })
      expect(await readdir(pending)).to.deep.equal([])
    } finally {
      await end()
    }
  })

  it('stays for the next time if it cannot be stored now, and does not block the start', async () => {
    const { audit, end, warned, log } = await open()
    try {
      await notePending(folder, entry, 0)
      const full = { ...audit, take: () => Promise.reject(new Error('storage full')) }
      await takePending(folder, { audit: full, log })
      expect(warned).to.deep.equal(['A pending entry for the audit log cannot be added now; the next attempt is within a minute.'])
      await takePending(folder, { audit, log })
      expect((await audit.list({})).items).to.have.length(1)
    } finally {
      await end()
    }
  })

  for (const [what, forge] of [
    ['claims to be of a user', (text: string) => text.replace('"actor_id":null', '"actor_id":"ada"')],
    ['claims to be of a request', (text: string) => text.replace('command_line', 'request')],
    ['has a kind that nobody knows', (text: string) => text.replace('plugin.removed', 'plugin.vanished')],
    ['has another id than its name', (text: string) => text.replace(/"id":"\w{4}/, '"id":"0000')],
    ['is cut off', (text: string) => text.slice(0, 50)],
    ['is too large', (text: string) => text.replace('1.0.0', 'x'.repeat(200_000))],
  ] as const)
    it(`is set aside if it ${what}`, async () => {
      const { audit, end, log } = await open()
      try {
        await notePending(folder, entry, 0)
        const [name = ''] = await readdir(pending)
        const file = path.join(pending, name)
        await writeFile(file, forge(await readFile(file, 'utf8')))
        await takePending(folder, { audit, log })
        expect((await audit.list({})).items).to.deep.equal([])
        expect(await readdir(pending)).to.deep.equal([`${name}.refused`])
      } finally {
        await end()
      }
    })

  it('is not written without a data folder, and refused if the folder is a link', async () => {
    const nowhere = path.join(folder, 'nowhere')
    await notePending(nowhere, entry, 0)
    expect(await readdir(folder)).to.deep.equal([])
    await mkdir(path.join(folder, 'elsewhere'))
    await mkdir(path.join(folder, 'system'))
    await symlink(path.join(folder, 'elsewhere'), pending)
    expect(await rejection(notePending(folder, entry, 0))).to.have.property('code', 'audit_folder_unusable')
    expect(await readdir(path.join(folder, 'elsewhere'))).to.deep.equal([])
  })
})
