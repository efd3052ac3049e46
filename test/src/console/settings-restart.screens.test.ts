import { expect } from 'chai'
import { removeFolder, type ServiceProcess, startServiceProcess } from '../support/service-process.js'
import { closeBrowser, openPage } from './open-page.js'
import { ada, lineOf, unexpected } from './support/settings-kernel.js'

describe('a restart from the settings editor', function () {
  this.timeout(90_000)
  let service: ServiceProcess
  before(async () => {
    service = await startServiceProcess({ environment: { SERVICE_SERVER_SHUTDOWN_TIMEOUT_SECS: '2' } })
  })
  after(async () => {
    await closeBrowser()
    await service.stop()
    await removeFolder(service.folder)
  })

  it('waits for the service, and the bar goes once the configuration is in effect', async () => {
    const { page, open, inspect, complaints, close } = await openPage(service, { credentials: ada, confirmed: true, at: 'none' })
    await open('/admin/settings?section=cache')
    await lineOf(page, 'cache.entity_ttl_secs').locator('input').fill('2 h')
    await page.getByRole('button', { name: 'Review 1 change' }).click()
    await page.getByRole('button', { name: 'Save 1 change' }).click()
    await page.getByText('1 saved change is not applied yet.').waitFor()
    // What is typed meanwhile stays.
    await lineOf(page, 'cache.entity_max_capacity').locator('input').fill('2000')
    await page.getByRole('button', { name: 'Apply' }).click()
    await page.getByText('Applied. The service uses the new settings.').first().waitFor({ timeout: 60_000 })
    expect(await inspect('settings-restarted')).to.deep.equal([])
    await page.locator('.settings-bar').waitFor({ state: 'detached', timeout: 60_000 })
    await lineOf(page, 'cache.entity_ttl_secs').getByText('config.yaml, line 2').waitFor()
    expect(await lineOf(page, 'cache.entity_ttl_secs').getByText('Not applied yet').count()).to.equal(0)
    expect(await lineOf(page, 'cache.entity_max_capacity').locator('input').inputValue()).to.equal('2000')
    // The browser itself reports the requests that found no service.
    expect(unexpected(complaints, /ERR_|503|401/)).to.deep.equal([])
    await close()
  })
})
