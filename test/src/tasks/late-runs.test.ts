import { expect } from 'chai'
import { type AgentsKernel, type Person, startAgentsKernel } from '../agents/support/agents-kernel.js'
import { setScript } from '../agents/support/scripted-plugin.js'
import { type DrivenClock, startDrivenClock } from '../support/driven-clock.js'

type Body = Readonly<Record<string, unknown>>

describe('a schedule whose time came while the service was down', function () {
  this.timeout(60_000)
  let time: DrivenClock
  let agents: AgentsKernel
  let ada: Person

  before(async () => {
    setScript()
    time = startDrivenClock()
    agents = await startAgentsKernel({ clock: time.clock, environment: { SERVICE_SERVER_TIMEZONE: 'UTC' } })
    ada = await agents.person('ada')
  })
  after(async () => {
    await agents?.close()
    await time?.stop()
  })

  it('is told once, seen at the schedule, counted, and by default an e-mail', async () => {
    const input = { instruction: 'Report.', title: 'Report', schedule: { cron: '0 * * * *' }, spread_secs: 0 }
    const { body: task } = await ada.request('POST', '/api/tasks', input)
    await agents.restart(() => time.pass(2 * 3_600_000))
    ada = await agents.person('ada')
    const stream = await ada.stream({ after: '0' })
    const told = await stream.until(({ name, data }) => name === 'notification.created' && data['kind'] === 'task.late')
    stream.close()
    expect(told.data).to.include({ title: 'Report', link: `/tasks/${String(task['id'])}`, unread: 1 })
    expect(told.data['text']).to.match(/^No run began at \d{4}-\d\d-\d\d \d\d:00 \(UTC\)\. The service did not run then/)
    const { body: seen } = await ada.request('GET', `/api/tasks/${String(task['id'])}`)
    expect(seen['late']).to.include({ scheduled_for: task['next_at'], code: 'not_noticed' })
    const { body: preferences } = await ada.request('GET', '/api/notifications/preferences')
    expect((preferences['kinds'] as readonly Body[]).find(({ kind }) => kind === 'task.late')).to.include({ app: true, mail: true })
    const metrics = await (await fetch(`${agents.kernel.url}/metrics`, { headers: { authorization: `Bearer ${ada.token}` } })).text()
    expect(metrics).to.match(/task_late_total\{reason="not_noticed"\} 1/)
    expect(metrics).to.match(/tasks_late 0/)
    const { body: checks } = await ada.request('POST', '/api/admin/health/checks')
    expect(JSON.stringify(checks)).to.contain('tasks begin in time')
    await agents.restart()
    ada = await agents.person('ada')
    const { body: list } = await ada.request('GET', '/api/notifications')
    expect((list['items'] as readonly Body[]).filter(({ kind }) => kind === 'task.late')).to.have.length(1)
  })
})
