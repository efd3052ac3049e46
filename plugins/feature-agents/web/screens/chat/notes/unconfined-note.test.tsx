import { type FakeAnswer, fakeApi, problem, render, screen } from '@agent-service/sdk/web/testing'
import { expect } from 'chai'
import type { Schemas } from '../../../api/index.js'
import type { paths } from '../../../api/schema.js'
import { sandbox } from '../../../test-support/things.js'
import { UnconfinedNote } from './unconfined-note.js'

const tool = (changes: Partial<Schemas['Tool']> = {}): Schemas['Tool'] => ({
  approval: null,
  available: true,
  description: null,
  display: null,
  effect: null,
  message: null,
  name: 'shell',
  parameters: null,
  plugin_id: 'feature-sandbox',
  reason: null,
  source: null,
  title: null,
  ...changes,
})

const note = 'The sandbox is switched off: code of this agent reaches every file of the service.'

/** The note of an agent, and then that of the clerk, who runs code that nothing confines: once it is there, so is the first. */
async function showBefore(first: () => Schemas['SandboxStatus'] | FakeAnswer, ...tools: Schemas['Tool'][]) {
  let asked = 0
  const service = fakeApi<paths>({
    'get /api/sandbox'() {
      asked += 1
      return asked === 1 ? first() : sandbox({ disabled: true })
    },
    'get /api/tools': ({ query }) => ({ items: query.agent === 'agent_clerk' ? [tool()] : tools, next_cursor: null }),
  })
  render(() => (
    <>
      <UnconfinedNote agentId="agent_other" />
      <UnconfinedNote agentId="agent_clerk" />
    </>
  ))
  await screen.findAllByText(note)
  return { service, count: screen.getAllByText(note).length }
}

describe('the note that nothing confines an agent', () => {
  it('is shown of one that runs code where the sandbox is switched off, and leads to what is open', async () => {
    const { service, count } = await showBefore(
      () => sandbox({ disabled: true }),
      tool({ name: 'read', plugin_id: 'feature-files' }),
      tool(),
    )
    expect(count).to.equal(2)
    expect(screen.getAllByRole('link', { name: 'Confinement' })[0]?.getAttribute('href')).to.equal('/sandbox/machine')
    expect(service.requestsOf('get /api/tools').map(({ query }) => query.agent)).to.deep.equal(['agent_other', 'agent_clerk'])
  })

  it('is not shown of one that runs no code', async () => {
    const { count } = await showBefore(() => sandbox({ disabled: true }), tool({ available: false }), tool({ plugin_id: 'feature-files' }))
    expect(count).to.equal(1)
  })

  it('is not shown where code is confined', async () => {
    const { count } = await showBefore(() => sandbox(), tool())
    expect(count).to.equal(1)
  })

  it('is not shown where there is no sandbox', async () => {
    const { count } = await showBefore(() => problem(404, 'not_found'), tool())
    expect(count).to.equal(1)
  })
})
