import { fakeApi, problem, render, screen, waitFor } from '@agent-service/sdk/web/testing'
import { expect } from 'chai'
import type { Schemas } from '../../api/index.js'
import type { paths } from '../../api/schema.js'
import { Sessions } from './sessions.js'

const sessionOf = (more: Partial<Schemas['Session']>): Schemas['Session'] => ({
  id: 'session_a',
  address: '192.0.2.1',
  current: false,
  user_agent: '',
  created_at: '2026-01-01T00:00:00Z',
  last_used_at: '2026-01-02T00:00:00Z',
  expires_at: '2027-01-01T00:00:00Z',
  ...more,
})

const firefox = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'
const safari = 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 Version/18.0 Mobile/15E148 Safari/604.1'
const edge = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 Chrome/140.0.0.0 Safari/537.36 Edg/140.0.0.0'

function show() {
  const items = [
    sessionOf({ id: 'here', current: true, user_agent: edge }),
    sessionOf({ id: 'other', user_agent: firefox, address: '192.0.2.7' }),
    sessionOf({ id: 'phone', user_agent: safari }),
    sessionOf({ id: 'program', user_agent: 'backup/1' }),
  ]
  const service = fakeApi<paths>({
    'get /api/auth/sessions': () => ({ items, next_cursor: null }),
    'delete /api/auth/sessions/{session_id}': () => undefined,
  })
  return { service, ...render(() => <Sessions />) }
}

const devices = (): readonly (string | null | undefined)[] =>
  screen.getAllByRole('listitem').map((row) => row.querySelector('b')?.textContent)

describe('the devices that are signed in', () => {
  it('are named after what they run, and the one in use is not signed out here', async () => {
    show()
    await screen.findByText('This device')
    expect(devices()).to.deep.equal(['Edge, Windows', 'Firefox, Linux', 'Safari, iPhone', 'backup/1'])
    expect(screen.getByText('This device').closest('[role=listitem], li')?.textContent).to.include('Edge, Windows')
    expect(screen.queryByRole('button', { name: 'Sign out Edge, Windows' })).to.equal(null)
    screen.getByText('192.0.2.7')
  })

  it('are signed out', async () => {
    const { service, user } = show()
    await user.click(await screen.findByRole('button', { name: 'Sign out Firefox, Linux' }))
    await waitFor(() => expect(devices()).to.deep.equal(['Edge, Windows', 'Safari, iPhone', 'backup/1']))
    expect(service.requestsOf('delete /api/auth/sessions/{session_id}').map(({ path }) => path.session_id)).to.deep.equal(['other'])
  })

  it('stay where they could not be signed out, and the reason is said', async () => {
    const { service, user } = show()
    service.answer({ 'delete /api/auth/sessions/{session_id}': () => problem(503, 'unavailable', { detail: 'Not now.' }) })
    await user.click(await screen.findByRole('button', { name: 'Sign out Firefox, Linux' }))
    expect((await screen.findByRole('alert')).textContent).to.include('Not now.')
    expect(devices()).to.include('Firefox, Linux')
  })
})
