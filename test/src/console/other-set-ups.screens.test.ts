import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createTestKernel } from '@agent-service/kernel/testing'
import { definePlugin } from '@agent-service/sdk'
import { expect } from 'chai'
import { writeTestPlugin } from '../agents/support/write-test-plugin.js'
import { backendManifest } from '../points/support/memory-backend-plugin.js'
import { removeFolder, startServiceProcess } from '../support/service-process.js'
import { closeBrowser, openPage } from './open-page.js'

const ada = { username: 'ada', password: 'a long enough password' }

describe('the set-up in the console, for others and with a choice of memory', function () {
  this.timeout(180_000)
  after(closeBrowser)

  it('is for administrators; others learn that there is no model yet', async () => {
    const bare = await startServiceProcess()
    try {
      const admin = await openPage(bare, { credentials: ada })
      await admin.close()
      const { page, open, inspect, close } = await openPage(bare, {
        credentials: { username: 'bob', password: 'a long enough password' },
        at: 'none',
      })
      await open('/')
      await page.getByText('There is no model yet').first().waitFor()
      expect(await page.getByRole('button', { name: 'Continue the set-up' }).count()).to.equal(0)
      expect(await inspect('home-no-model')).to.deep.equal([])
      await page.goto('/set-up')
      await page.getByText('For admins only').first().waitFor()
      await close()
    } finally {
      await bare.stop()
      await removeFolder(bare.folder)
    }
  })

  it('asks for the memory where more than one back end is installed', async () => {
    const folder = await mkdtemp(path.join(tmpdir(), 'agent-service-memory-'))
    const module = new URL('../points/support/memory-backend-plugin.js', import.meta.url)
    const fleeting = definePlugin({ manifest: backendManifest, setup: () => undefined })
    const kernel = await createTestKernel({
      plugins: [await writeTestPlugin(path.join(folder, 'fleeting'), fleeting, module)],
    })
    try {
      const { page, open, inspect, close } = await openPage(kernel, { credentials: ada, confirmed: true, at: 'none' })
      await open('/set-up')
      await page.getByRole('heading', { name: 'Choose the memory' }).waitFor()
      await page.getByText('Agents take short notes themselves.').waitFor()
      await page.getByRole('radio', { name: 'A memory that keeps nothing.' }).check()
      expect(await inspect('set-up-memory')).to.deep.equal([])
      await page.getByRole('button', { name: 'Save and continue' }).click()
      await page.getByRole('heading', { name: 'Add a model provider' }).waitFor()
      const saved = await page.evaluate("fetch('/api/admin/config').then((answer) => answer.json()).then(({ saved }) => saved.memory)")
      expect(saved).to.deep.equal({ backend: 'fleeting' })
      await close()
    } finally {
      await kernel.stop()
      await rm(folder, { recursive: true, force: true })
    }
  })
})
