import { expect } from 'chai'
import { type AgentsKernel, startAgentsKernel } from '../agents/support/agents-kernel.js'
import { setScript } from '../agents/support/scripted-plugin.js'
import { type DrivenClock, startDrivenClock } from '../support/driven-clock.js'
import { type ConsolePage, closeBrowser, openPage } from './open-page.js'

const credentials = { username: 'ada', password: 'a long enough password' }

describe('a schedule in the console that did not run in time', function () {
  this.timeout(120_000)
  let time: DrivenClock
  let agents: AgentsKernel
  let opened: ConsolePage
  before(async () => {
    setScript()
    time = startDrivenClock()
    agents = await startAgentsKernel({ clock: time.clock, environment: { SERVICE_SERVER_TIMEZONE: 'UTC' } })
  })
  after(async () => {
    await closeBrowser()
    await agents?.close()
    await time?.stop()
  })

  it('says so in the list and on its page, with the reason', async () => {
    const ada = await agents.person('ada')
    for (const [title, instruction] of [
      ['Report', 'Report.'],
      ['Paused', 'Rest.'],
    ]) {
      const { body } = await ada.request('POST', '/api/tasks', { title, instruction, schedule: { cron: '0 * * * *' }, spread_secs: 0 })
      if (title === 'Paused') await ada.request('POST', `/api/tasks/${String(body['id'])}/pause`)
    }
    await agents.restart(() => time.pass(2 * 3_600_000))
    opened = await openPage(agents.kernel, { credentials })
    const { page, open, inspect, complaints } = opened
    await open('/tasks/schedules')
    const row = page.locator('.tasks-row', { hasText: 'Report' })
    await row.getByText(/^No run began at .*:00\.$/).waitFor()
    await row.getByText('The service did not run then, or could not look at its tasks.').waitFor()
    expect(await page.getByText(/^No run began at/).count()).to.equal(1)
    expect(await inspect('tasks-late')).to.deep.equal([])
    await row.getByRole('link', { name: 'Report' }).click()
    await page.locator('.tasks-late', { hasText: 'No run began at' }).waitFor()
    expect(await inspect('task-late')).to.deep.equal([])
    expect(complaints).to.deep.equal([])
  })
})
