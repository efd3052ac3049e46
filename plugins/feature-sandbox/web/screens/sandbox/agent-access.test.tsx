import { currentPath } from '@agent-service/sdk/web'
import { fakeApi, problem, screen } from '@agent-service/sdk/web/testing'
import { expect } from 'chai'
import type { Schemas } from '../../api/index.js'
import type { paths } from '../../api/schema.js'
import { page, runner, status } from '../../test-support/sandbox.js'
import { showSandbox } from './test-support/show-sandbox.js'

const access = (changes: Partial<Schemas['AgentSandboxAccess']> = {}): Schemas['AgentSandboxAccess'] => ({
  agent_id: 'agent_runner',
  files: { denied: [], readable: [], refused: null, writable: ['workspaces/runner'] },
  limits: { max_cpu_pct: 95, max_memory_pct: 50, max_processes: 100, max_running: 4, memory_bytes: 4_000_000_000, timeout_secs: 0 },
  network: { access: 'policies', asked: null, default_access: true, reason: '' },
  ...changes,
})

function showAccess(changes: Partial<Schemas['AgentSandboxAccess']> = {}) {
  const service = fakeApi<paths>({
    'get /api/sandbox': () => status(),
    'get /api/agents': () =>
      page(runner, { ...runner, id: 'agent_off', name: 'Off', enabled: false }, { ...runner, id: 'agent_2', name: 'Second' }),
    'get /api/sandbox/agents/{agent_id}'({ query }) {
      const { host, port } = query
      if (host === undefined) return access(changes)
      const asked = { allowed: host !== 'closed.example', host, port: Number(port) }
      return access({ network: { access: 'policies', asked, default_access: true, reason: '' } })
    },
  })
  const { user } = showSandbox('/sandbox/agents/agent_runner')
  return {
    user,
    service,
    async ask(host: string): Promise<void> {
      await user.clear(screen.getByLabelText('Host'))
      await user.type(screen.getByLabelText('Host'), `${host}{Enter}`)
    },
  }
}

describe('what an agent may do in the sandbox', () => {
  it('is shown for the agents that are switched on', async () => {
    const { user } = showAccess()
    await screen.findByText('workspaces/runner')
    screen.getByText('Everything public, except what a policy forbids.')
    expect(screen.getAllByRole('option').map(({ textContent }) => textContent)).to.deep.equal(['Runner', 'Second'])
    await user.selectOptions(screen.getByLabelText('Agent'), 'Second')
    expect(currentPath()).to.equal('/sandbox/agents/agent_2')
  })

  it('says that its network is off', async () => {
    showAccess({ network: { access: 'off', asked: null, default_access: true, reason: '' } })
    await screen.findByText('Off by the setting of the agent.')
  })

  it('says why none of its code runs', async () => {
    showAccess({ files: { denied: [], readable: [], refused: 'Its workspace is gone.', writable: [] } })
    expect((await screen.findByText('Its workspace is gone.')).lang).to.equal('en')
  })

  it('answers whether its code may connect to a destination, until another is written', async () => {
    const { user, ask, service } = showAccess()
    await user.click(await screen.findByRole('button', { name: 'Check' }))
    await screen.findByText('Name a host or an address.')
    await ask('example.org')
    await screen.findByText('May connect to example.org:443. Addresses that are not public stay closed.')
    await user.type(screen.getByLabelText('Host'), 'x')
    expect(screen.queryByText(/^May connect/)).to.equal(null)
    await ask('closed.example')
    await screen.findByText('May not connect to closed.example:443.')
    expect(service.requestsOf('get /api/sandbox/agents/{agent_id}').map(({ query }) => query.host)).to.deep.equal([
      ...[undefined, 'example.org', 'closed.example'],
    ])
  })

  it('says which port is none, and why the service refuses to answer', async () => {
    const { user, ask, service } = showAccess()
    await user.clear(await screen.findByLabelText('Port'))
    await user.type(screen.getByLabelText('Port'), '70000')
    await ask('example.org')
    await screen.findByText('1 to 65535')
    await user.clear(screen.getByLabelText('Port'))
    await user.type(screen.getByLabelText('Port'), '80')
    service.answer({ 'get /api/sandbox/agents/{agent_id}': () => problem(503, 'unavailable', { detail: 'Not now.' }) })
    await ask('example.org')
    expect((await screen.findByRole('alert')).textContent).to.include('Not now.')
  })
})
