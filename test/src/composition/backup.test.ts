import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createTestKernel, restoreDatabase } from '@agent-service/kernel/testing'
import { expect } from 'chai'
import { signUp } from '../support/api.js'
import { removeFolder } from '../support/service-process.js'

describe('a backup of a running service', function () {
  this.timeout(30_000)

  it('is made only by an admin, below the data folder, and opens as a separate service', async () => {
    const kernel = await createTestKernel()
    const elsewhere = await mkdtemp(path.join(tmpdir(), 'agent-service-backup-'))
    try {
      const admin = await signUp(kernel.url, 'ada')
      const other = await signUp(kernel.url, 'bob')
      expect((await other.request('POST', '/api/admin/backups')).status).to.equal(403)
      const chat = (await admin.request('POST', '/api/chats', { title: 'Worth keeping' })).body
      const made = await admin.request('POST', '/api/admin/backups')
      expect(made.status).to.equal(201)
      const place = String(made.body['path'])
      expect(place.startsWith(path.join(kernel.folder, 'data', 'system', 'backups'))).to.equal(true)
      await admin.request('POST', '/api/chats', { title: 'Too late' })

      await restoreDatabase({ from: place, path: path.join(elsewhere, 'data', 'db') })
      const again = await createTestKernel({ folder: elsewhere })
      try {
        const restored = await signUp(again.url, 'ada')
        const titles = (
          (await restored.request('GET', '/api/chats')).body['items'] as { readonly id: string; readonly title: string }[]
        ).map(({ id, title }) => [id, title])
        expect(titles).to.deep.equal([[chat['id'], 'Worth keeping']])
      } finally {
        await again.stop()
      }
    } finally {
      await kernel.stop()
      await removeFolder(elsewhere)
    }
  })
})
