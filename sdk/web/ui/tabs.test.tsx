import { expect } from 'chai'
import { createSignal, type JSX } from 'solid-js'
import { render, screen } from '../testing.js'
import { Segments, Tabs } from './tabs.js'

type Part = 'all' | 'own' | 'shared'

function Rolls(): JSX.Element {
  const [part, setPart] = createSignal<Part>('all')
  const tabs = [
    { id: 'all', label: 'All', count: 3 },
    { id: 'own', label: 'Own' },
    { id: 'shared', label: 'Shared', count: 0 },
  ] as const
  return (
    <Tabs<Part> label="Rolls" tabs={tabs} current={part()} onSelect={setPart}>
      <p>Rolls of {part()}</p>
    </Tabs>
  )
}

describe('Tabs', () => {
  const tab = (name: RegExp): HTMLElement => screen.getByRole('tab', { name })
  const chosen = (): readonly (string | null)[] => screen.getAllByRole('tab', { selected: true }).map(({ textContent }) => textContent)

  it('show the panel of the tab that is chosen, which is named after it', async () => {
    const { user } = render(() => <Rolls />)
    expect(chosen()).to.deep.equal(['All3'])
    expect(screen.getByRole('tabpanel', { name: 'All 3' }).textContent).to.equal('Rolls of all')
    await user.click(tab(/Shared/))
    expect(chosen()).to.deep.equal(['Shared0'])
    expect(screen.getByRole('tabpanel', { name: /Shared/ }).textContent).to.equal('Rolls of shared')
    expect(tab(/Shared/).getAttribute('aria-controls')).to.equal(screen.getByRole('tabpanel').id)
  })

  it('are one stop of the Tab key, in which the arrows choose the next one, in a circle', async () => {
    const { user } = render(() => <Rolls />)
    await user.tab()
    expect(document.activeElement).to.equal(tab(/All/))
    await user.keyboard('{ArrowRight}')
    expect([document.activeElement, chosen()]).to.deep.equal([tab(/Own/), ['Own']])
    await user.keyboard('{ArrowLeft}{ArrowLeft}')
    expect([document.activeElement, chosen()]).to.deep.equal([tab(/Shared/), ['Shared0']])
    await user.tab()
    expect(screen.getAllByRole('tab')).not.to.include(document.activeElement)
  })

  it('follow the direction of the text with their arrows', async () => {
    const { user } = render(() => (
      <div style={{ direction: 'rtl' }}>
        <Rolls />
      </div>
    ))
    await user.tab()
    await user.keyboard('{ArrowLeft}')
    expect(chosen()).to.deep.equal(['Own'])
  })
})

describe('Segments', () => {
  it('are radio buttons, of which one is chosen', async () => {
    const [kind, setKind] = createSignal<'day' | 'week'>('day')
    const choices = [
      { value: 'day', label: 'Day' },
      { value: 'week', label: 'Week' },
    ] as const
    const { user } = render(() => <Segments label="Span" choices={choices} value={kind()} onInput={setKind} />)
    expect(screen.getByRole('radiogroup', { name: 'Span' })).not.to.equal(null)
    expect(screen.getByRole<HTMLInputElement>('radio', { name: 'Day' }).checked).to.equal(true)
    await user.click(screen.getByText('Week'))
    expect(kind()).to.equal('week')
    expect(screen.getByRole<HTMLInputElement>('radio', { name: 'Day' }).checked).to.equal(false)
  })
})
