import { expect } from 'chai'
import { read, type Step, send } from './step.js'

/** The set-up, memory, browser, search, mail, vaults and processes. What is not configured here refuses. */
export const featureSteps: Readonly<Record<string, Step>> = {
  getSetUpProgress: read('/api/admin/set-up'),
  changeSetUpProgress: {
    call: (world) => send(world, 'PATCH', '/api/admin/set-up', { steps: { 'set-up-memory': 'skipped' } }),
    noted: 'set_up.changed',
    check(entry) {
      expect(entry.before).to.include({ 'set-up-memory': 'open' })
      expect(entry.after).to.include({ 'set-up-memory': 'skipped' })
    },
  },
  getMemoryMigration: read('/api/admin/memory/migration'),
  startMemoryMigration: {
    // There is one back end in the world of this test, and it is in use.
    call: (world) => send(world, 'POST', '/api/admin/memory/migration', { to: 'basic' }),
    statuses: [409],
  },
  cancelMemoryMigration: { call: (world) => send(world, 'DELETE', '/api/admin/memory/migration'), statuses: [409] },
  getBrowserUsage: read('/api/admin/browser'),
  // No browser and no search are configured here.
  testBrowser: { call: (world) => send(world, 'POST', '/api/admin/browser/test'), statuses: [503], noted: 'admin.operation' },
  testSearch: { call: (world) => send(world, 'POST', '/api/admin/search/test', {}), noted: 'search.tested' },
  getMailStatus: read('/api/admin/mail'),
  listMails: read('/api/admin/mail/messages'),
  // The tests of e-mail look at the entry of one that is sent.
  sendTestMail: { call: (world) => send(world, 'POST', '/api/admin/mail/test'), statuses: [409] },
  listSystemVaults: read('/api/admin/vaults'),
  // No vault is configured here. The tests of vaults look at the entries of one that is.
  syncSystemVault: { call: (world) => send(world, 'POST', '/api/admin/vaults/none/sync'), statuses: [404] },
  changeSystemVaultAccess: {
    call: (world) => send(world, 'PUT', '/api/admin/vaults/none/access', { kind: 'everyone' }),
    statuses: [404],
  },
  listProcessesOfAllUsers: read('/api/admin/sandbox/processes'),
  // The tests of the sandbox look at the entry of one that runs.
  stopProcessOfAnyUser: { call: (world) => send(world, 'POST', '/api/admin/sandbox/processes/none/stop'), statuses: [404] },
}
