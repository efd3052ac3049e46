import { fakeApi, offline, render, screen, waitFor } from '@agent-service/sdk/web/testing'
import { expect } from 'chai'
import type { paths } from '../api/schema.js'
import { pageOf, space } from '../test-support/things.js'
import { MoveDialog } from './move-dialog.js'

function show() {
  const done: (string | null)[] = []
  const { user } = render(() => (
    <MoveDialog
      title="Jam"
      spaceId={null}
      onMove={(id) => {
        done.push(id)
        return Promise.resolve()
      }}
      onClose={() => void done.push('closed')}
    />
  ))
  return { user, done }
}

describe('the dialog that moves a chat to a space', () => {
  it('says that the spaces could not be read, and shows them after another try', async () => {
    const service = fakeApi<paths>({ 'get /api/spaces': () => offline() })
    const { user, done } = show()
    await screen.findByRole('alert')
    service.answer({ 'get /api/spaces': () => pageOf(space('Garden')) })
    await user.click(screen.getByRole('button', { name: 'Try again' }))
    await user.click(await screen.findByRole('radio', { name: 'Garden' }))
    expect(screen.queryByRole('alert')).to.equal(null)
    await user.click(screen.getByRole('button', { name: 'Save' }))
    await waitFor(() => expect(done).to.deep.equal(['space_garden', 'closed']))
  })
})
