import { fakeApi, screen } from '@agent-service/sdk/web/testing'
import { expect } from 'chai'
import type { Schemas } from '../../api/index.js'
import type { paths } from '../../api/schema.js'
import { page, status } from '../../test-support/sandbox.js'
import { showSandbox } from './test-support/show-sandbox.js'

const serviceWith = (changes: Partial<Schemas['SandboxStatus']>) =>
  fakeApi<paths>({ 'get /api/sandbox': () => status(changes), 'get /api/sandbox/processes': () => page() })

const ways = (): readonly (readonly [string | null, string | null])[] =>
  [...document.querySelectorAll('.sandbox-fence')].map((fence) => [
    fence.querySelector('h3')?.textContent ?? null,
    fence.querySelector('.badge')?.textContent ?? null,
  ])
const banner = (): string => document.querySelector('.sandbox-banner')?.textContent ?? ''

const names = ['Files', 'Other processes', 'Network', 'Closed destinations', 'Limits'] as const
const noDriver = { confines: false, driver: null, mode: 'none', fences: null, reason: 'Install a driver of the sandbox.' }

describe('the confinement of the sandbox', () => {
  it('shows each way out with its state, and warns of nothing where all are closed', async () => {
    serviceWith({})
    showSandbox('/sandbox/machine')
    await screen.findByText('The code of agents is confined')
    expect(ways()).to.deep.equal(names.map((name) => [name, 'Closed']))
    expect(banner()).to.equal('')
  })

  it('speaks German, also where the machine leaves a way partly open', async () => {
    const { fences } = status()
    const reason = 'Command lines of processes of the same user can be seen. Install bubblewrap to hide them.'
    serviceWith({ fences: fences && { ...fences, processes: { state: 'partial', by: '', reason } } })
    showSandbox('/sandbox/machine', { language: 'de' })
    await screen.findByText('Der Code der Agenten ist abgeschottet')
    screen.getByText('Wege hinaus')
    screen.getByText(/^Befehlszeilen von Prozessen desselben Benutzers sind sichtbar\./)
    expect(document.querySelector('.sandbox-fence p[lang="en"]')).to.equal(null)
  })

  it('marks a reason that only the driver knows as English', async () => {
    const { fences } = status()
    serviceWith({ fences: fences && { ...fences, network: { state: 'open', by: '', reason: 'The moon is full.' } } })
    showSandbox('/sandbox/machine', { language: 'de' })
    expect((await screen.findByText('The moon is full.')).lang).to.equal('en')
  })

  it('says on the page of the machine why nothing confines, and on every page that agents run nothing', async () => {
    serviceWith(noDriver)
    const { unmount } = showSandbox('/sandbox/machine')
    await screen.findByText('The code of agents is not confined')
    screen.getByText('Install a driver of the sandbox.')
    expect(ways()).to.deep.equal([])
    expect(banner()).to.include('Nothing confines programs on this machine, so agents run none.')
    unmount()
    showSandbox('/sandbox')
    await screen.findByText(/^Nothing confines programs on this machine/)
  })

  it('warns on every page where it is switched off, and shows the files as open', async () => {
    serviceWith({ disabled: true })
    const { unmount } = showSandbox('/sandbox/machine')
    await screen.findByText('The code of agents is not confined')
    expect(ways()[0]).to.deep.equal(['Files', 'Open'])
    screen.getByText('Lifted by sandbox.disabled. Set it to false to close the files again.')
    expect(banner()).to.include('The sandbox is switched off (sandbox.disabled)')
    unmount()
    showSandbox('/sandbox')
    await screen.findByText(/^The sandbox is switched off/)
  })

  it('shows those who administrate what the machine has', async () => {
    serviceWith({ machine: { processors: 4, memory_bytes: 8_000_000_000, running: 2, principals: 1 } })
    showSandbox('/sandbox/machine', { admin: true })
    await screen.findByText('2 processes, 1 agent')
  })
})
