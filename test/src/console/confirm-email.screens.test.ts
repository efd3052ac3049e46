import { createTestKernel, type TestKernel } from '@agent-service/kernel/testing'
import { expect } from 'chai'
import { codeIn, type MailPeer, startMailPeer } from '../notifications/support/mail-peer.js'
import { closeBrowser, openPage, refusalReport } from './open-page.js'

const ada = { username: 'ada', password: 'a long enough password' }

describe('the confirmation of an e-mail address in the console', function () {
  this.timeout(90_000)
  let peer: MailPeer
  let kernel: TestKernel
  before(async () => {
    peer = await startMailPeer()
    kernel = await createTestKernel({
      environment: {
        ...{ SERVICE_MAIL_HOST: '127.0.0.1', SERVICE_MAIL_PORT: String(peer.port), SERVICE_MAIL_SECURITY: 'none' },
        SERVICE_MAIL_FROM: 'Agent Service <agents@example.org>',
      },
    })
  })
  after(async () => {
    await closeBrowser()
    await kernel.stop()
    await peer.close()
  })

  it('says that it is missing, sends a code, refuses a wrong one and takes the right one', async () => {
    const { page, open, inspect, complaints, close } = await openPage(kernel, { credentials: ada, at: 'none' })
    await open('/profile')
    await page.getByLabel('E-mail address').fill('ada@example.org')
    await page.getByRole('button', { name: 'Save profile' }).click()
    await page.getByRole('dialog', { name: 'Is it you?' }).getByLabel('Password', { exact: true }).fill(ada.password)
    await page.keyboard.press('Enter')
    const code = page.getByLabel('Code from the e-mail')
    await code.waitFor()
    expect(await inspect('profile-confirm-email')).to.deep.equal([])
    await peer.until(1)
    await page.getByRole('button', { name: 'Send a code' }).click()
    await page.getByText('A code is on its way to ada@example.org.').first().waitFor()
    await peer.until(2)
    await code.fill('wrong')
    await page.getByRole('button', { name: 'Confirm', exact: true }).click()
    await page.getByText('The code is not valid.').waitFor()
    await open('/notifications/settings')
    await page.getByText('No e-mails are sent to you until you confirm your e-mail address.').waitFor()
    await page.getByText('No alarm reaches these admins, who have no confirmed e-mail address: ada.').waitFor()
    expect(await inspect('notifications-unconfirmed')).to.deep.equal([])
    await page.getByRole('link', { name: 'Confirm it in your profile' }).click()
    await code.fill(codeIn(peer.mails[1]?.source) ?? '')
    await page.getByRole('button', { name: 'Confirm', exact: true }).click()
    await page.getByText('E-mail address confirmed.').first().waitFor()
    await code.waitFor({ state: 'detached' })
    expect(complaints).to.deep.equal([refusalReport(403, 'Forbidden'), refusalReport(422, 'Unprocessable Entity')])
    await close()
  })
})
