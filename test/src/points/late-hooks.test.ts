import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { eventually } from '@agent-service/sdk/testing'
import { expect } from 'chai'
import { startAgentsKernel } from '../agents/support/agents-kernel.js'
import { calls, resultsIn, says, setScript } from '../agents/support/scripted-plugin.js'
import { writeTestPlugin } from '../agents/support/write-test-plugin.js'
import lateHookPlugin, { setLateHook } from './support/late-hook-plugin.js'

describe('a run that is open when the service starts', function () {
  this.timeout(60_000)

  it('resumes once the hooks have started, however late their plugin is, and not before', async () => {
    const folder = await mkdtemp(path.join(tmpdir(), 'agent-service-late-hook-'))
    const plugin = await writeTestPlugin(
      path.join(folder, 'plugin'),
      lateHookPlugin,
      new URL('./support/late-hook-plugin.js', import.meta.url),
    )
    let begun: () => void = () => undefined
    const began = new Promise<void>((resolve) => {
      begun = resolve
    })
    const happened: string[] = []
    const script = setScript({
      answer: (request) => (resultsIn(request).length === 0 ? calls('tool__read') : says('Done.')),
      tool: async (_, __, { signal }) => {
        happened.push('call')
        begun()
        if (happened.length === 1) await new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason)))
        return { content: [{ type: 'text', text: 'a secret' }] }
      },
    })
    setLateHook(async () => undefined)
    const agents = await startAgentsKernel({ plugins: [plugin] })
    try {
      const ada = await agents.person('ada')
      const runId = await ada.post(await ada.newChat(), 'Look')
      await began
      await agents.restart(() =>
        setLateHook(async () => {
          // Long enough for a run that does not wait to go on.
          await new Promise((resolve) => setTimeout(resolve, 700))
          happened.push('hook')
        }),
      )
      const again = await agents.person('ada')
      const run = async () => (await again.request('GET', `/api/runs/${runId}`)).body
      await eventually(async () => (await run())['status'] === 'completed', { what: run })
      expect(happened).to.deep.equal(['call', 'hook', 'call'])
      expect(JSON.stringify(script.requests.at(-1)?.messages))
        .to.include('[masked]')
        .and.not.to.include('a secret')
    } finally {
      await agents.close()
      await rm(folder, { recursive: true, force: true })
    }
  })
})
