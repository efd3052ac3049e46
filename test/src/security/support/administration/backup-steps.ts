import { expect } from 'chai'
import { at, read, remember, type Step, send, subjectIs } from './step.js'

/** Backups. */
export const backupSteps: Readonly<Record<string, Step>> = {
  createBackup: {
    call: (world) => remember(world, 'backup', send(world, 'POST', '/api/admin/backups')),
    noted: 'backup.created',
    check: (entry, _, answer) => void expect(entry.details).to.deep.equal({ path: answer.json['path'] }),
  },
  listBackups: read('/api/admin/backups'),
  getBackupStatus: read('/api/admin/backups/status'),
  getBackup: read((world) => `/api/admin/backups/${at(world, 'backup')}`),
  cancelBackup: { call: (world) => send(world, 'POST', '/api/admin/backups/cancel'), noted: 'admin.operation' },
  verifyBackup: {
    call: (world) => send(world, 'POST', `/api/admin/backups/${at(world, 'backup')}/verify`),
    noted: 'backup.verified',
    check(entry, world) {
      subjectIs('backup')(entry, world)
      expect(entry.details).to.include({ sound: true })
    },
  },
  downloadBackup: {
    call: (world) => send(world, 'GET', `/api/admin/backups/${at(world, 'backup')}/content`),
    noted: 'backup.downloaded',
    check: subjectIs('backup'),
  },
  deleteBackup: {
    call: (world) => send(world, 'DELETE', `/api/admin/backups/${at(world, 'backup')}`),
    noted: 'backup.deleted',
    check: subjectIs('backup'),
  },
}
