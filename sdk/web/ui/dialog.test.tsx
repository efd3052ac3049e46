import { expect } from 'chai'
import { createSignal, type JSX, Show } from 'solid-js'
import { render, screen } from '../testing.js'
import { confirmAction, Dialog, Sheet } from './dialog.js'

/** A button that asks, and what came of it. */
function Deleting(): JSX.Element {
  const [answers, setAnswers] = createSignal<readonly boolean[]>([])
  const ask = async (): Promise<void> => {
    const yes = await confirmAction({ title: 'Delete the roll?', text: 'It is lost.', action: 'Delete roll', keep: 'Keep it' })
    setAnswers((before) => [...before, yes])
  }
  return (
    <>
      <button type="button" onClick={() => void ask()}>
        Delete
      </button>
      <output>{answers().join()}</output>
    </>
  )
}

/** A button that opens something over the page. */
function Opening(props: { readonly children: (close: () => void) => JSX.Element }): JSX.Element {
  const [isOpen, setOpen] = createSignal(false)
  return (
    <>
      <button type="button" onClick={() => setOpen(true)}>
        Open
      </button>
      <Show when={isOpen()}>{props.children(() => setOpen(false))}</Show>
    </>
  )
}

const button = (name: string): HTMLElement => screen.getByRole('button', { name })

describe('confirmAction', () => {
  it('asks with the focus on what changes nothing, and gives it back', async () => {
    const { user } = render(() => <Deleting />)
    await user.click(button('Delete'))
    expect(screen.getByRole('dialog', { name: 'Delete the roll?' }).textContent).to.include('It is lost.')
    expect(document.activeElement).to.equal(button('Keep it'))
    await user.keyboard('{Enter}')
    expect(screen.queryByRole('dialog')).to.equal(null)
    expect(document.activeElement).to.equal(button('Delete'))
    screen.getByText('false')
  })

  it('does not take Escape for a yes, only its button', async () => {
    const { user } = render(() => <Deleting />)
    await user.click(button('Delete'))
    await user.keyboard('{Escape}')
    expect([screen.queryByRole('dialog'), document.activeElement]).to.deep.equal([null, button('Delete')])
    await user.click(button('Delete'))
    await user.click(button('Delete roll'))
    screen.getByText('false,true')
  })
})

describe('Dialog', () => {
  it('takes the focus to where it says, and is closed by Escape', async () => {
    const { user } = render(() => (
      <Opening>
        {(close) => (
          <Dialog title="A roll" onClose={close}>
            <input aria-label="First" />
            <input aria-label="Second" autofocus />
          </Dialog>
        )}
      </Opening>
    ))
    await user.click(button('Open'))
    expect(document.activeElement).to.equal(screen.getByLabelText('Second'))
    await user.keyboard('{Escape}')
    expect([screen.queryByRole('dialog'), document.activeElement]).to.deep.equal([null, button('Open')])
  })

  it('has no way out but its buttons where that is wanted', async () => {
    const { user } = render(() => (
      <Opening>
        {(close) => (
          <Dialog title="A roll" modalOnly onClose={close}>
            <button type="button" onClick={close}>
              Done
            </button>
          </Dialog>
        )}
      </Opening>
    ))
    await user.click(button('Open'))
    await user.keyboard('{Escape}')
    expect(screen.queryByRole('dialog')).not.to.equal(null)
    await user.click(button('Done'))
    expect(screen.queryByRole('dialog')).to.equal(null)
  })
})

describe('Sheet', () => {
  it('is named after its title, and closed by its button', async () => {
    const { user } = render(() => (
      <Opening>
        {(close) => (
          <Sheet title="All rolls" onClose={close}>
            <p>None</p>
          </Sheet>
        )}
      </Opening>
    ))
    await user.click(button('Open'))
    expect(screen.getByRole('dialog', { name: 'All rolls' }).textContent).to.include('None')
    await user.click(button('Close'))
    expect([screen.queryByRole('dialog'), document.activeElement]).to.deep.equal([null, button('Open')])
  })
})
