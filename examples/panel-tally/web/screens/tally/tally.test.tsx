import { fakeApi, problem, render, runStart, screen, waitFor } from '@agent-service/sdk/web/testing'
import { expect } from 'chai'
import type { Counter, Paths } from './api.js'
import { start } from './start.js'
import Tally from './tally.js'
import { t } from './texts.js'

/** The service with these counters, which keeps what is done with them. */
function serviceWith(...counters: readonly Counter[]) {
  const kept = new Map(counters.map((counter) => [counter.id, counter]))
  const put = (counter: Counter): Counter => {
    kept.set(counter.id, counter)
    return counter
  }
  const found = (id: string): Counter => kept.get(id) ?? { id, name: '', count: 0 }
  return fakeApi<Paths>({
    'get /api/plugins/panel-tally/counters': () => ({ items: [...kept.values()], next_cursor: null }),
    'post /api/plugins/panel-tally/counters': ({ body }) => put({ id: `counter_${kept.size + 1}`, name: body.name, count: 0 }),
    'patch /api/plugins/panel-tally/counters/{counter_id}': ({ path, body }) => put({ ...found(path.counter_id), name: body.name }),
    'delete /api/plugins/panel-tally/counters/{counter_id}': ({ path }) => void kept.delete(path.counter_id),
    'post /api/plugins/panel-tally/counters/{counter_id}/count': ({ path }) =>
      put({ ...found(path.counter_id), count: found(path.counter_id).count + 1 }),
  })
}

const coffee: Counter = { id: 'counter_1', name: 'Coffee', count: 2 }

describe('the screen of counters', () => {
  it('begins with what it is for, and adds what is to be counted', async () => {
    const service = serviceWith()
    const { user } = render(() => <Tally />, { at: '/panels/panel-tally' })
    await screen.findByText('Nothing is counted yet')
    await user.click(screen.getByRole('button', { name: 'Count something' }))
    await user.keyboard(' Coffee {Enter}')
    await screen.findByText('Coffee')
    expect(screen.queryByRole('dialog')).to.equal(null)
    expect(service.requestsOf('post /api/plugins/panel-tally/counters').map(({ body }) => body)).to.deep.equal([{ name: 'Coffee' }])
  })

  it('says at the field why the service does not take a name, in the language of the person', async () => {
    const service = serviceWith(coffee)
    const errors = [{ path: '/name', message: 'is the name of another counter' }]
    service.answer({ 'post /api/plugins/panel-tally/counters': () => problem(400, 'validation_failed', { errors }) })
    const { user } = render(() => <Tally />, { language: 'de' })
    await screen.findByText('Coffee')
    await user.click(screen.getByRole('button', { name: t('add') }))
    await user.keyboard('Coffee{Enter}')
    await screen.findByText(/ist schon der Name eines anderen Zählers/)
    await waitFor(() => expect(document.activeElement?.getAttribute('aria-invalid')).to.equal('true'))
  })

  it('counts one more, and reads again after a failure', async () => {
    const service = serviceWith(coffee)
    service.answer({ 'get /api/plugins/panel-tally/counters': () => problem(503, 'unavailable') })
    const { user } = render(() => <Tally />)
    const again = await screen.findByRole('button', { name: 'Try again' })
    service.answer({ 'get /api/plugins/panel-tally/counters': () => ({ items: [coffee], next_cursor: null }) })
    await user.click(again)
    await user.click(await screen.findByRole('button', { name: 'Count one more: Coffee' }))
    await screen.findByText('3')
  })

  it('asks before something is deleted', async () => {
    const service = serviceWith(coffee)
    const { user } = render(() => <Tally />)
    for (const answer of ['Cancel', /^Delete/]) {
      await user.click(await screen.findByRole('button', { name: /^Actions/ }))
      await user.click(screen.getByRole('menuitem', { name: 'Delete' }))
      await user.click(await screen.findByRole('button', { name: answer }))
    }
    await screen.findByText('Nothing is counted yet')
    expect(service.requestsOf('delete /api/plugins/panel-tally/counters/{counter_id}').map(({ path }) => path.counter_id)).to.deep.equal([
      'counter_1',
    ])
  })

  it('is read once for what runs beside it, too', async () => {
    const service = serviceWith(coffee)
    render(() => <Tally />)
    runStart(start)
    await screen.findByText('Coffee')
    expect(service.requestsOf('get /api/plugins/panel-tally/counters')).to.have.length(1)
  })
})
