import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect } from 'chai'
import { type EventStream, signUp } from '../support/api.js'
import { type AgentsKernel, endOf, type Person, startAgentsKernel } from './support/agents-kernel.js'
import latePlugin, { setLateWork } from './support/late-plugin.js'
import { calls, resultsIn, says, setScript } from './support/scripted-plugin.js'
import { writeTestPlugin } from './support/write-test-plugin.js'

describe('a message in the first moments after a start', () => {
  let folder: string
  let agents: AgentsKernel
  let ada: Person
  let stream: EventStream

  before(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'agent-service-late-'))
    const late = await writeTestPlugin(path.join(folder, 'late'), latePlugin, new URL('./support/late-plugin.js', import.meta.url))
    agents = await startAgentsKernel({ plugins: [late] })
    ada = await agents.person('ada')
    await ada.request('PATCH', `/api/agents/${ada.agentId}`, { tools: ['tool_late_for_tests__tool_late'], approval: { '*': 'never' } })
  })
  after(async () => {
    setLateWork(async () => undefined)
    await agents?.close()
    await rm(folder, { recursive: true, force: true })
  })
  afterEach(() => stream.close())

  it('is answered with the tools of plugins that start after the agents', async () => {
    const script = setScript({
      answer: (request) => (resultsIn(request).length === 0 ? calls('tool_late_for_tests__tool_late') : says('Done.')),
    })
    const me = (await ada.request('GET', '/api/auth/me')).body
    const [mine] = (await ada.request('GET', '/api/agents')).body['items'] as readonly { readonly handle: string }[]
    let run = ''
    setLateWork(async (service) => {
      const turn = service.converse(
        {
          userId: String(me['id']),
          agent: mine?.handle ?? '',
          messages: [{ role: 'user', content: [{ type: 'text', text: 'What comes late?' }] }],
        },
        { signal: AbortSignal.timeout(20_000) },
      )
      const iterator = turn[Symbol.asyncIterator]()
      const { value: first } = await iterator.next()
      if (first?.type === 'run') run = first.runId
      // A turn that is not read to its end is cancelled.
      void (async () => {
        while (!(await iterator.next()).done);
      })()
    })
    await agents.restart()
    // `person` would change the agent, while the run is in progress.
    const again = await signUp(agents.kernel.url, 'ada')
    stream = await again.stream({ after: '0' })
    if ((await again.request('GET', `/api/runs/${run}`)).body['status'] !== 'completed') await endOf(stream, run)
    expect(script.requests.map(({ tools }) => tools.map(({ name }) => name))).to.deep.equal([
      ['tool_late_for_tests__tool_late'],
      ['tool_late_for_tests__tool_late'],
    ])
    const results = resultsIn(script.requests[1] ?? expect.fail('asked once'))
    expect(
      results.map(({ is_error }) => is_error ?? false),
      JSON.stringify(results),
    ).to.deep.equal([false])
  })
})
