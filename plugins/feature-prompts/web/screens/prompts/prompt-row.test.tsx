import { type RenderOptions, render, screen } from '@agent-service/sdk/web/testing'
import { expect } from 'chai'
import type { Schemas } from '../../api/index.js'
import { listed } from '../../test-support/prompts.js'
import { PromptRow } from './prompt-row.js'

function show(prompt: Schemas['ListedPrompt'], options: RenderOptions = {}) {
  const done: string[] = []
  const act = (what: string) => () => void done.push(what)
  const { user, container } = render(
    () => <PromptRow prompt={prompt} onEdit={act('edit')} onCopy={act('copy')} onDelete={act('delete')} onTakeBack={act('take back')} />,
    options,
  )
  const choose = async (name: string): Promise<void> => {
    await user.click(screen.getByRole('button', { name: /translate/ }))
    await user.click(screen.getByRole('menuitem', { name }))
  }
  return { done, choose, open: () => user.click(screen.getByRole('button', { name: /translate/ })), text: container.textContent ?? '' }
}

const offered = (): readonly (string | null)[] => screen.getAllByRole('menuitem').map(({ textContent }) => textContent)

describe('the row of a prompt', () => {
  it('offers to change and to delete an own one', async () => {
    const { done, choose, open, text } = show(listed({ shared: 'everyone' }))
    expect(text).to.include('/translate').and.include('Translate a text').and.include('Into German').and.include('For everyone')
    await open()
    expect(offered()).to.deep.equal(['Edit', 'Delete'])
    await choose('Edit')
    await choose('Delete')
    expect(done).to.deep.equal(['edit', 'delete'])
  })

  it('offers a copy of one of others, and says whose it is', async () => {
    const { done, choose, open, text } = show(listed({ own: false, owner: 'Bea', shared: 'everyone', shadowed: true }))
    expect(text).to.include('Shared by Bea').and.include('Yours is used').and.not.include('For everyone')
    await open()
    expect(offered()).to.deep.equal(['Save a copy for me'])
    await choose('Save a copy for me')
    expect(done).to.deep.equal(['copy'])
  })

  it('lets those who administrate take one back from everyone, whoever shared it', async () => {
    const { done, choose, text } = show(listed({ own: false, owner: null }), { admin: true, language: 'de' })
    expect(text).to.include('Gemeinsam')
    await choose('Nicht mehr für alle')
    expect(done).to.deep.equal(['take back'])
  })
})
