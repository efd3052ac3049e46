import { fakeApi, problem, render, savedFiles, screen, sendEvent, waitFor, within } from '@agent-service/sdk/web/testing'
import { expect } from 'chai'
import type { Schemas } from '../../api/index.js'
import type { paths } from '../../api/schema.js'
import { page } from '../../test-support/inference.js'
import UsageScreen from './usage.js'

type Sum = Schemas['UsageSum']

const sum = (changes: Partial<Sum>): Sum => ({
  cached_input_tokens: 50,
  calls: 1,
  cost_usd: 0.5,
  failed_calls: 0,
  input_tokens: 100,
  output_tokens: 20,
  reasoning_tokens: 0,
  unpriced_calls: 0,
  ...changes,
})

/** The sums of calls of two models on the last day, as the service groups them. */
const small = { model: 'small', provider: 'house', cost_usd: 0.5 }
const large = { model: 'large', provider: 'house', cost_usd: 2, calls: 3 }

function sumsOf({ group_by, model, to = '' }: { readonly group_by?: string; readonly model?: string; readonly to?: string }): Sum[] {
  const models = [small, large].filter((each) => model === undefined || each.model === model)
  if (group_by === 'model') return models.map(sum)
  const all = {
    calls: models.reduce((total, each) => total + sum(each).calls, 0),
    cost_usd: models.reduce((total, each) => total + each.cost_usd, 0),
  }
  if (group_by === 'agent') return [sum({ ...all, agent_id: 'agent_gone' })]
  return [sum({ ...all, ...(group_by === 'day' && { day: to }) })]
}

function show({ isUsed = true } = {}) {
  const service = fakeApi<paths>({
    'get /api/usage': ({ query }) => page(...(isUsed ? sumsOf(query) : [])),
    'get /api/usage/budget': () => ({ budget: null }),
    'get /api/agents': () => page(),
  })
  const { user } = render(() => <UsageScreen />, { at: '/usage' })
  return { user, service }
}

const figure = (): string => document.querySelector('.usage-figure')?.textContent ?? ''
const daysTable = () => within(screen.getByText('Cost per day').closest('section') as HTMLElement)
const cellsOf = (row: HTMLElement | undefined): readonly (string | null)[] =>
  [...(row?.children ?? [])].map(({ textContent }) => textContent)

describe('the usage of a person', () => {
  it('is empty at first, and grows while it is shown', async () => {
    const { service } = show({ isUsed: false })
    await screen.findByText('No usage in this period')
    service.answer({ 'get /api/usage': ({ query }) => page(...sumsOf(query)) })
    sendEvent('usage.recorded', {})
    await waitFor(() => expect(figure()).to.match(/2\.50/))
    expect(screen.queryByText('No usage in this period')).to.equal(null)
  })

  it('is the same in its figure, its legend and its table of days', async () => {
    show()
    await screen.findByText('The same numbers as a table')
    const [head, ...days] = daysTable().getAllByRole('row')
    expect(cellsOf(head).slice(1, -1)).to.deep.equal(['large', 'small'])
    expect(days).to.have.length(1)
    expect(cellsOf(days[0]).at(-1)).to.equal(figure())
    const legend = [...document.querySelectorAll('.usage-legend .num')].map(({ textContent }) => textContent)
    expect(cellsOf(days[0]).slice(1, -1)).to.deep.equal(legend)
  })

  it('is the same in a file, with a line for each day', async () => {
    const { user, service } = show()
    await screen.findByText('The same numbers as a table')
    await user.click(screen.getByRole('button', { name: 'CSV' }))
    const { from, to } = service.requestsOf('get /api/usage')[0]?.query ?? {}
    const [file] = savedFiles()
    const lines = ((await file?.content.text()) ?? '').trim().split('\r\n')
    expect(lines).to.have.length(31)
    expect(lines[0]).to.equal('day,large,small,total_usd')
    expect(lines.at(-1)).to.equal(`${to},2,0.5,2.5`)
    expect(file?.name).to.equal(`usage-${from}-${to}.csv`)
  })

  it('is that of the chosen days', async () => {
    const { user, service } = show()
    await screen.findByText('The same numbers as a table')
    await user.click(screen.getByRole('radio', { name: '7 days' }))
    const daysAsked = () =>
      service.requestsOf('get /api/usage').map(({ query }) => (Date.parse(query.to ?? '') - Date.parse(query.from ?? '')) / 86_400_000 + 1)
    await waitFor(() => expect(daysAsked()).to.include(7))
    expect(new Set(daysAsked())).to.deep.equal(new Set([30, 7]))
  })

  it('names what an agent used that is gone', async () => {
    show()
    await screen.findByText('Deleted agent')
  })

  it('says why it cannot be read, and reads it again', async () => {
    const { user, service } = show()
    service.answer({ 'get /api/usage': () => problem(503, 'unavailable', { detail: 'Not now.' }) })
    await user.click(await screen.findByRole('radio', { name: '90 days' }))
    expect((await screen.findByRole('alert')).textContent).to.include('Not now.')
    service.answer({ 'get /api/usage': ({ query }) => page(...sumsOf(query)) })
    await user.click(screen.getByRole('button', { name: 'Try again' }))
    await screen.findByText('The same numbers as a table')
  })
})
