import { type ItemTarget, itemActions } from '@agent-service/sdk/web'
import { fakeApi, problem, render, runStart, screen, waitFor } from '@agent-service/sdk/web/testing'
import { expect } from 'chai'
import type { paths } from '../../api/schema.js'
import { start } from './start.js'

const report: ItemTarget = { kind: 'file', name: 'report.md', path: 'files/report.md' }

/** What sharing adds to the menu of an item. */
function actionFor(target: ItemTarget) {
  render(() => <p>Another screen</p>)
  runStart(start)
  const [action] = itemActions(target)
  return { label: action?.label, namedLabel: action?.namedLabel, run: () => action?.run(), isUsable: () => action?.isUsable() }
}

describe('sharing in the menus of items', () => {
  it('is offered for files', async () => {
    const { label, namedLabel, run } = actionFor(report)
    expect([label, namedLabel]).to.deep.equal(['Share by link', 'Share report.md by link'])
    run()
    await screen.findByRole('dialog', { name: 'Share report.md' })
  })

  it('is offered for chats', async () => {
    actionFor({ kind: 'chat', name: 'Plan', chatId: 'chat_1' }).run()
    await screen.findByRole('dialog', { name: 'Share Plan' })
  })

  it('is known as usable once the service has said that it is, which is asked again after a failure', async () => {
    const service = fakeApi<paths>({ 'get /api/shares': () => problem(503, 'unavailable') })
    const { isUsable } = actionFor(report)
    expect(isUsable()).to.equal(false)
    await waitFor(() => expect(service.requests).to.have.length(1))
    service.answer({ 'get /api/shares': () => ({ items: [], next_cursor: null }) })
    await waitFor(() => expect(isUsable()).to.equal(true))
    expect(service.requests).to.have.length(2)
  })
})
