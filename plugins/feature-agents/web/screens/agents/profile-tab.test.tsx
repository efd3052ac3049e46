import { createForm } from '@agent-service/sdk/web/forms'
import { fakeApi, problem, type RenderOptions, render, screen, waitFor } from '@agent-service/sdk/web/testing'
import { expect } from 'chai'
import type { paths } from '../../api/schema.js'
import { agent, memoryStatus, model, pageOf, sandbox } from '../../test-support/things.js'
import { type Definition, definitionOf } from './definition.js'
import { ProfileTab } from './profile-tab.js'

const createProfile = () => createForm<Definition>({ initial: definitionOf(agent()), submit: () => Promise.resolve() })

/** The service without a sandbox; with `memory` as its routes answer. */
function show(memory: () => ReturnType<typeof memoryStatus> | ReturnType<typeof problem>, options: RenderOptions = {}) {
  const service = fakeApi<paths>({
    'get /api/models': () => pageOf(model('primary')),
    'get /api/memory/status': memory,
    'get /api/sandbox': () => problem(404, 'not_found'),
  })
  const form = createProfile()
  const { user } = render(() => <ProfileTab agentId="agent_own" form={form} warnings={[]} />, options)
  return { service, form, user }
}

const box = (name: string) => screen.queryByRole('checkbox', { name: new RegExp(`^${name}`) })
const missing = () => screen.queryByText(/no plugin that keeps memories runs/)

describe('the profile of an agent', () => {
  it('has switches for what the service has, which change the agent', async () => {
    const { service, form, user } = show(() => memoryStatus())
    service.answer({ 'get /api/sandbox': () => sandbox() })
    await waitFor(() => expect(service.requests).to.have.length(3))
    for (const name of ['Remember between chats', 'Network in the sandbox', 'Titles']) expect(box(name), name).not.to.equal(null)
    expect(missing()).to.equal(null)
    const { memory, sandbox: before } = form.values()
    await user.click(screen.getByRole('checkbox', { name: /^Remember between chats/ }))
    await user.click(screen.getByRole('checkbox', { name: /^Network in the sandbox/ }))
    expect([form.values().memory.enabled, form.values().sandbox.network]).to.deep.equal([!memory.enabled, !before.network])
  })

  for (const [what, memory] of [
    ['back end of the memory', () => memoryStatus(false)],
    ['memory', () => problem(404, 'not_found')],
  ] as const)
    it(`has no switches without a ${what} and a sandbox, and says what lacks to those who administrate`, async () => {
      show(memory, { admin: true })
      await waitFor(() => expect(missing()).not.to.equal(null))
      expect(screen.getByRole('link', { name: 'To the plugins' }).getAttribute('href')).to.equal('/admin/plugins')
      expect([box('Remember between chats'), box('Network in the sandbox')]).to.deep.equal([null, null])
      expect(box('Titles')).not.to.equal(null)
    })

  it('says nothing of what lacks to others', async () => {
    show(() => problem(404, 'not_found'))
    await waitFor(() => expect(box('Remember between chats')).to.equal(null))
    expect([missing(), box('Network in the sandbox')]).to.deep.equal([null, null])
  })
})
