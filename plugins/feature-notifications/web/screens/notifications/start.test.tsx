import { currentPath } from '@agent-service/sdk/web'
import { fakeApi, render, runStart, screen, waitFor } from '@agent-service/sdk/web/testing'
import { expect } from 'chai'
import type { paths } from '../../api/schema.js'
import { arrive, notification, tellOf } from '../../test-support/notifications.js'
import { start } from './start.js'
import { unread } from './unread.js'

/** The console at a path, with two unread notifications. */
async function begin(at: string) {
  const page = { items: [], unread: 2, devices: false, next_cursor: null }
  fakeApi<paths>({ 'get /api/notifications': () => page })
  const { user } = render(() => <p>Another screen</p>, { at })
  runStart(start)
  await waitFor(() => expect(unread()).to.equal(2))
  return user
}

describe('notifications beside all screens', () => {
  it('are counted', async () => {
    await begin('/files')
    arrive(notification(), 3)
    expect(unread()).to.equal(3)
    tellOf({ notification_id: null, state: 'read', unread: 0 })
    expect(unread()).to.equal(0)
  })

  it('are said when they arrive, with a way to them', async () => {
    const user = await begin('/files')
    arrive(notification(), 3)
    await screen.findByText('Count the invoices')
    await user.click(screen.getByRole('button', { name: 'Show' }))
    await waitFor(() => expect(currentPath()).to.equal('/notifications'))
  })

  it('are not said where they are seen', async () => {
    await begin('/notifications/unread')
    arrive(notification(), 3)
    expect([unread(), screen.queryByText('Count the invoices')]).to.deep.equal([3, null])
  })
})
