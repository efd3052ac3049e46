import { fakeApi, screen, waitFor } from '@agent-service/sdk/web/testing'
import { expect } from 'chai'
import type { paths } from '../../api/schema.js'
import { page, status } from '../../test-support/sandbox.js'
import { showSandbox } from './test-support/show-sandbox.js'

const running = {
  actor: { handle: 'runner', id: 'agent_runner', kind: 'agent' },
  background: false,
  id: 'process_1',
  kind: 'shell',
  started_at: '2026-12-01T08:00:00Z',
  terminal: false,
  usage: { cpu_ms: 2_000, memory_bytes: 1_000_000, processes: 2 },
  user_id: 'user_bob',
  username: 'bob',
}

describe('the processes of all users', () => {
  it('are shown to those who administrate, with what they use, and end when they have said so twice', async () => {
    let kept = [running]
    const service = fakeApi<paths>({
      'get /api/sandbox': () => status(),
      'get /api/admin/sandbox/processes': () => page(...kept),
      'post /api/admin/sandbox/processes/{process_id}/stop'() {
        kept = []
        return running
      },
    })
    const { user } = showSandbox('/sandbox/users', { admin: true })
    await screen.findByText('bob')
    expect(screen.getByRole('link', { name: 'All users' }).getAttribute('aria-current')).to.equal('page')
    screen.getByText('2 processes')
    const stops = () => service.requestsOf('post /api/admin/sandbox/processes/{process_id}/stop').map(({ path }) => path.process_id)
    await user.click(screen.getByRole('button', { name: 'Stop the process of bob' }))
    await screen.findByText('It ends with everything that it started. The audit log records it.')
    expect(stops()).to.deep.equal([])
    await user.click(screen.getByRole('button', { name: 'Stop' }))
    await screen.findByText('Nothing runs')
    expect(stops()).to.deep.equal(['process_1'])
  })

  it('are not asked for by others', async () => {
    const service = fakeApi<paths>({ 'get /api/sandbox': () => status(), 'get /api/sandbox/processes': () => page() })
    showSandbox('/sandbox/users')
    await screen.findByText('Nothing ran within the last hour')
    await waitFor(() =>
      expect(service.requests.map(({ operation }) => operation)).to.have.members(['get /api/sandbox', 'get /api/sandbox/processes']),
    )
  })
})
