import { fakeApi, offline, render, screen, waitFor } from '@agent-service/sdk/web/testing'
import { expect } from 'chai'
import type { paths } from '../api/schema.js'
import { agent, model, pageOf } from '../test-support/things.js'
import { Choice } from './choice.js'

const show = () =>
  render(() => <Choice place="home" agentId="agent_own" model={null} onAgent={() => undefined} onModel={() => undefined} />).user

describe('the choice of agent and model', () => {
  for (const operation of ['get /api/agents', 'get /api/models'] as const)
    it(`says when it cannot ask ${operation.slice('get '.length)}, and is there after another try`, async () => {
      const answers = { 'get /api/agents': () => pageOf(agent()), 'get /api/models': () => pageOf(model('primary')) }
      const service = fakeApi<paths>(answers)
      service.answer({ [operation]: () => offline() })
      const user = show()
      await screen.findByText('Agents could not be read.')
      service.answer(answers)
      await user.click(screen.getByRole('button', { name: 'Try again' }))
      await screen.findByRole('button', { name: 'Agent: Helper' })
      await screen.findByRole('button', { name: 'Model: primary-model' })
      await waitFor(() => expect(screen.queryByRole('alert')).to.equal(null))
    })
})
