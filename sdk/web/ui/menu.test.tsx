import { expect } from 'chai'
import { render, screen } from '../testing.js'
import { Dialog } from './dialog.js'
import { MenuButton, type MenuItem } from './menu.js'

const namesOf = (elements: readonly HTMLElement[]): readonly (string | null)[] => elements.map(({ textContent }) => textContent)

describe('MenuButton', () => {
  const done: string[] = []
  const run = (name: string) => () => void done.push(`${name}, focus on ${document.activeElement?.getAttribute('aria-label')}`)
  const items: readonly MenuItem[] = [
    { label: 'Rename', run: run('rename') },
    { label: 'Copy', run: run('copy') },
    { label: 'Delete', danger: true, run: run('delete') },
  ]
  beforeEach(() => {
    done.length = 0
  })
  const opener = (): HTMLElement => screen.getByRole('button', { name: 'Actions for a' })
  const focused = (): string | null | undefined => document.activeElement?.textContent

  it('opens with the focus on its first entry, which the arrows, Home and End move in a circle', async () => {
    const { user } = render(() => <MenuButton name="Actions for a" items={items} />)
    expect(screen.queryByRole('menu')).to.equal(null)
    await user.click(opener())
    expect(namesOf(screen.getAllByRole('menuitem'))).to.deep.equal(['Rename', 'Copy', 'Delete'])
    expect(focused()).to.equal('Rename')
    const moves = { '{ArrowDown}': 'Copy', '{End}': 'Delete', '{ArrowDown>}': 'Rename', '{ArrowUp}': 'Delete', '{Home}': 'Rename' }
    for (const [key, entry] of Object.entries(moves)) {
      await user.keyboard(key)
      expect(focused(), key).to.equal(entry)
    }
  })

  it('closes before an entry does its work, with the focus back on the button', async () => {
    const { user } = render(() => <MenuButton name="Actions for a" items={items} />)
    await user.click(opener())
    await user.keyboard('{ArrowDown}{Enter}')
    await user.click(opener())
    await user.click(screen.getByRole('menuitem', { name: 'Delete' }))
    expect(done).to.deep.equal(['copy, focus on Actions for a', 'delete, focus on Actions for a'])
    expect(screen.queryByRole('menu')).to.equal(null)
  })

  it('closes on Escape and on a press elsewhere, without doing anything', async () => {
    const { user } = render(() => (
      <>
        <MenuButton name="Actions for a" items={items} />
        <p>Elsewhere</p>
      </>
    ))
    await user.click(opener())
    await user.keyboard('{Escape}')
    expect(screen.queryByRole('menu')).to.equal(null)
    expect(document.activeElement).to.equal(opener())
    await user.click(opener())
    await user.click(screen.getByText('Elsewhere'))
    expect(screen.queryByRole('menu')).to.equal(null)
    expect(done).to.deep.equal([])
  })

  it('leaves the dialog open that it is in', async () => {
    let closed = 0
    const { user } = render(() => (
      <Dialog title="A roll" onClose={() => (closed += 1)}>
        <MenuButton name="Actions for a" items={items} />
      </Dialog>
    ))
    await user.click(opener())
    await user.keyboard('{Escape}')
    expect([closed, screen.queryByRole('menu')]).to.deep.equal([0, null])
    await user.keyboard('{Escape}')
    expect(closed).to.equal(1)
  })

  it('says which of several is chosen, and what belongs together', async () => {
    const sorts: readonly MenuItem[] = [
      { label: 'By name', group: 'Sort', checked: true, run: run('name') },
      { label: 'By day', group: 'Sort', checked: false, run: run('day') },
      { label: 'Export', group: 'All', run: run('export') },
    ]
    const { user } = render(() => <MenuButton name="Actions for a" items={sorts} />)
    await user.click(opener())
    const radios = screen.getAllByRole('menuitemradio')
    expect(radios.map((radio) => radio.getAttribute('aria-checked'))).to.deep.equal(['true', 'false'])
    expect(screen.getAllByText('Sort')).to.have.length(1)
    expect(namesOf(screen.getAllByRole('menuitem'))).to.deep.equal(['Export'])
    await user.keyboard('{End}{Enter}')
    expect(done).to.deep.equal(['export, focus on Actions for a'])
  })
})
