import { render, screen, waitFor, within } from '@agent-service/sdk/web/testing'
import { expect } from 'chai'
import Components from './components.js'

describe('the page of components', () => {
  it('asks before it deletes, and says what came of it', async () => {
    const { user } = render(() => <Components />)
    await user.click(screen.getByRole('button', { name: 'Delete Ops' }))
    expect(document.activeElement?.textContent).to.equal('Keep it')
    await user.keyboard('{Escape}')
    await screen.findByText('Kept “Ops”')
    await user.click(screen.getByRole('button', { name: 'Delete Ops' }))
    await user.click(within(screen.getByRole('dialog')).getByRole('button', { name: 'Delete Ops' }))
    await screen.findByText('Deleted “Ops”')
  })

  it('has a form that names what does not fit, and keeps what was typed', async () => {
    const { user } = render(() => <Components />)
    const add = screen.getByRole('button', { name: 'Add provider' })
    const form = within(add.closest('form') as HTMLFormElement)
    const type = async (label: string, text: string): Promise<void> => {
      await user.clear(form.getByLabelText(label))
      await user.click(form.getByLabelText(label))
      await user.paste(text)
    }
    await type('Handle', 'Not A Handle')
    await type('Max retries', '99')
    await type('Extra', '{ broken')
    await user.click(add)
    for (const words of ['This does not have the expected form.', 'At most 10.', 'This is not valid JSON.']) await form.findByText(words)
    const handle = form.getByLabelText<HTMLInputElement>('Handle')
    expect(handle.value).to.equal('Not A Handle')
    await waitFor(() => expect(document.activeElement).to.equal(handle))
    await type('Handle', 'meridian-2')
    await type('Max retries', '4')
    await type('Extra', '{"a": 1}')
    await user.click(add)
    await screen.findByText('Added “meridian-2”')
  })
})
