import { createForm } from '@agent-service/sdk/web/forms'
import { answer, fakeApi, problem, render, screen, waitFor } from '@agent-service/sdk/web/testing'
import { expect } from 'chai'
import type { paths } from '../../api/schema.js'
import type { Definition } from './definition.js'
import { ProfileTab } from './profile-tab.js'

const definition: Definition = {
  ...{ name: 'Assistant', handle: 'assistant', description: '', avatar: '', model_group: 'primary', instructions: '', enabled: true },
  ...{ memory: { enabled: true }, titles: { enabled: true }, sandbox: { network: false }, limits: {}, skills: [], tools: [] },
  ...{ approval: {}, prompts: {} },
}

/** The form of an agent where the service has, or lacks, a memory and a sandbox. */
function show({ memory, sandbox }: { readonly memory: 'there' | 'no back end' | 'absent'; readonly sandbox: boolean }, admin = true) {
  fakeApi<paths>({
    'get /api/models': () => ({ items: [], next_cursor: null }),
    'get /api/memory/status': () => (memory === 'absent' ? problem(404, 'not_found') : answer({ available: memory === 'there' })),
    'get /api/sandbox': () => (sandbox ? answer({ driver: 'linux', disabled: false }) : problem(404, 'not_found')),
  })
  const form = createForm({ initial: definition, submit: async () => undefined })
  return { form, ...render(() => <ProfileTab agentId="agent_a" form={form} warnings={[]} />, { admin }) }
}

const offered = (): readonly boolean[] =>
  [/^Titles/, /^Remember between chats/, /^Network in the sandbox/].map((name) => screen.queryByRole('checkbox', { name }) !== null)
const whatLacks = (): HTMLElement | null => screen.queryByText(/no plugin that keeps memories runs/)

describe('the switches of an agent', () => {
  for (const [memory, what] of [
    ['no back end', 'the back end of the memory'],
    ['absent', 'the memory'],
  ] as const)
    it(`are not shown for what the service does not have, and administrators learn what lacks: ${what}`, async () => {
      show({ memory, sandbox: false })
      await waitFor(() => expect(offered()).to.deep.equal([true, false, false]))
      expect(whatLacks()).not.to.equal(null)
      expect(screen.getByRole('link', { name: 'To the plugins' }).getAttribute('href')).to.equal('/admin/plugins')
    })

  it('are not explained to those who cannot mend it', async () => {
    show({ memory: 'no back end', sandbox: false }, false)
    await waitFor(() => expect(offered()).to.deep.equal([true, false, false]))
    expect(whatLacks()).to.equal(null)
  })

  it('are shown for what it has, and change the agent', async () => {
    const { form, user } = show({ memory: 'there', sandbox: true })
    expect([offered(), whatLacks()]).to.deep.equal([[true, true, true], null])
    await user.click(screen.getByRole('checkbox', { name: /^Remember between chats/ }))
    await user.click(screen.getByRole('checkbox', { name: /^Network in the sandbox/ }))
    expect([form.values().memory, form.values().sandbox]).to.deep.equal([{ enabled: false }, { network: true }])
  })
})
