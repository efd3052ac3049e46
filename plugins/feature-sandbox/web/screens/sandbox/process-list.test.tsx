import { fakeApi, problem, screen, sendEvent, waitFor, within } from '@agent-service/sdk/web/testing'
import { expect } from 'chai'
import type { Schemas } from '../../api/index.js'
import type { paths } from '../../api/schema.js'
import { ended, page, process, status } from '../../test-support/sandbox.js'
import { showSandbox } from './test-support/show-sandbox.js'

type Process = Schemas['SandboxProcess']

function showList(...processes: Process[]) {
  const service = fakeApi<paths>({
    'get /api/sandbox': () => status(),
    'get /api/sandbox/processes': ({ query }) =>
      page(...processes.filter(({ ended_at }) => query.state === undefined || ended_at === null)),
    'post /api/sandbox/processes/{process_id}/stop': () => process(ended({ reason: 'stopped' })),
  })
  return { service, ...showSandbox('/sandbox') }
}

const tell = (event: Schemas['Event']['event'], of: Process): void => sendEvent<Schemas['Event']>(event, { process: of })
const rowOf = (title: string): HTMLElement =>
  screen.getByRole('link', { name: title }).closest<HTMLElement>('.sandbox-process') as HTMLElement
const whenSaid = (title: string, text: string): Promise<unknown> => waitFor(() => within(rowOf(title)).getByText(text))

describe('the processes of the sandbox', () => {
  it('are none at first, and come and end while they are watched', async () => {
    showList()
    await screen.findByText('Nothing ran within the last hour')
    screen.getByText('0 running')
    tell('sandbox.process.started', process())
    await whenSaid('build', 'Running')
    screen.getByText('1 running')
    expect(screen.queryByText('Nothing ran within the last hour')).to.equal(null)
    tell('sandbox.process.ended', process({ ...ended({ code: 3 }), output_bytes: 2_000 }))
    await whenSaid('build', 'Ended with code 3')
    screen.getByText('0 running')
    expect(within(rowOf('build')).queryByRole('button')).to.equal(null)
    within(rowOf('build')).getByText(/of output$/)
  })

  it('that ended are left out where only those that run are wanted', async () => {
    const { user } = showList(process({ title: 'goes on' }), process({ title: 'is over', ...ended() }))
    await screen.findByRole('link', { name: 'is over' })
    await user.click(screen.getByRole('radio', { name: 'Running' }))
    await waitFor(() => expect(screen.queryByRole('link', { name: 'is over' })).to.equal(null))
    await screen.findByRole('link', { name: 'goes on' })
    tell('sandbox.process.ended', process({ title: 'goes on', ...ended() }))
    await screen.findByText('Nothing ran within the last hour')
  })

  it('are “Stopping” until the service has confirmed that they have ended', async () => {
    const { user, service } = showList(process())
    const held = service.hold('post /api/sandbox/processes/{process_id}/stop')
    const stop = await screen.findByRole('button', { name: 'Stop build' })
    await user.click(stop)
    await whenSaid('build', 'Stopping')
    expect(stop.getAttribute('aria-busy')).to.equal('true')
    held.release()
    await whenSaid('build', 'Stopped')
    expect(service.requestsOf('post /api/sandbox/processes/{process_id}/stop').map(({ path }) => path.process_id)).to.deep.equal([
      'process_build',
    ])
  })

  it('go on, with the reason, where they could not be stopped', async () => {
    const { user, service } = showList(process())
    service.answer({ 'post /api/sandbox/processes/{process_id}/stop': () => problem(503, 'unavailable', { detail: 'Not now.' }) })
    await user.click(await screen.findByRole('button', { name: 'Stop build' }))
    expect((await within(rowOf('build')).findByRole('alert')).textContent).to.include('Not now.')
    within(rowOf('build')).getByText('Running')
  })

  it('of all users have no tab for people who do not administrate', async () => {
    showList()
    await screen.findByText('Nothing ran within the last hour')
    expect(
      within(screen.getByRole('navigation'))
        .getAllByRole('link')
        .map(({ textContent }) => textContent),
    ).to.deep.equal([...['Processes', 'Confinement', 'Agents']])
  })
})
