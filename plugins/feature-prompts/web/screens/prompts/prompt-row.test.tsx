import { render, screen } from '@agent-service/sdk/web/testing'
import { expect } from 'chai'
import type { Schemas } from '../../api/index.js'
import { PromptRow } from './prompt-row.js'

type Listed = Schemas['ListedPrompt']

const own: Listed = {
  id: 'prompt_1',
  command: 'translate',
  title: 'Translate',
  excerpt: 'Into German',
  own: true,
  owner: null,
  shared: 'me',
  shadowed: false,
} as Listed

function show(prompt: Listed, options: Parameters<typeof render>[1] = {}) {
  const done: string[] = []
  const act = (what: string) => () => void done.push(what)
  const { user } = render(
    () => <PromptRow prompt={prompt} onEdit={act('edit')} onCopy={act('copy')} onDelete={act('delete')} onTakeBack={act('take back')} />,
    options,
  )
  return { user, done }
}

describe('the row of a prompt', () => {
  it('offers to change and to delete an own one', async () => {
    const { user, done } = show(own)
    expect(screen.queryByRole('menuitem')).to.equal(null)
    await user.click(screen.getByRole('button', { name: 'Actions for /translate' }))
    expect(screen.getAllByRole('menuitem').map(({ textContent }) => textContent)).to.deep.equal(['Edit', 'Delete'])
    await user.click(screen.getByRole('menuitem', { name: 'Edit' }))
    expect(screen.queryByRole('menuitem')).to.equal(null)
    await user.click(screen.getByRole('button', { name: 'Actions for /translate' }))
    await user.keyboard('{ArrowDown}{Enter}')
    expect(done).to.deep.equal(['edit', 'delete'])
  })
})
