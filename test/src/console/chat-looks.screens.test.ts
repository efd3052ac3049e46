import { providerError } from '@agent-service/sdk/contracts/provider-adapter'
import { expect } from 'chai'
import { type AgentsKernel, startAgentsKernel } from '../agents/support/agents-kernel.js'
import { callsWith } from '../agents/support/asking-kernel.js'
import { resultsIn, says, setScript } from '../agents/support/scripted-plugin.js'
import { ask, openChat } from './chat-support.js'
import { type ConsolePage, closeBrowser, openPage } from './open-page.js'

const ada = { username: 'ada', password: 'a long enough password' }

const rich = [
  'Text with `code` and a [link](https://example.org/).',
  '```ts\nconst one: number = 1\n```',
  '| One | Two |\n| --- | --: |\n| a | 1 |',
  'With $x^2$ and\n\n$$\n\\frac{1}{2}\n$$',
  '```mermaid\nflowchart TD\n  A --> B\n```',
].join('\n\n')

describe('how a chat of the console looks', function () {
  this.timeout(180_000)
  let agents: AgentsKernel
  let opened: ConsolePage
  before(async () => {
    setScript()
    agents = await startAgentsKernel()
    opened = await openPage(agents.kernel, { credentials: ada })
  })
  after(async () => {
    await closeBrowser()
    await agents.close()
  })

  it('empty, and with code, a table, formulas, a diagram, a file, a failed answer and an approval', async () => {
    const { page, inspect, complaints } = opened
    let asked = ''
    setScript({
      async *answer(request) {
        const done = resultsIn(request).length
        if (asked === 'fail')
          throw providerError.create({
            failure: 'quota_exceeded',
            retryable: false,
            connection: request.connection.handle,
            model: request.model,
            reason: 'The credit of this key is used up.',
          })
        if (asked === 'approve') yield* callsWith({ name: 'tool__write', arguments: { folder: 'garden' } })
        else if (done === 0) yield* callsWith({ name: 'write_file', arguments: { path: 'report.md', content: '# Report' } })
        else yield* says(rich)
      },
    })
    await openChat(opened, { tools: ['write_file', 'tool__write'], approval: { write_file: 'never', '*': 'always' } })
    expect(await inspect('chat-empty')).to.deep.equal([])
    await ask(opened, 'Everything')
    await page.locator('.diagram-picture img').waitFor()
    await page.getByRole('region', { name: 'Files that were made' }).waitFor()
    asked = 'fail'
    await ask(opened, 'Fail')
    await page.locator('.chat-failed').waitFor()
    asked = 'approve'
    await ask(opened, 'Ask me')
    await page.locator('.ask').waitFor()
    expect(await inspect('chat-everything')).to.deep.equal([])
    await page.locator('.turn').first().scrollIntoViewIfNeeded()
    expect(await inspect('chat-everything-top')).to.deep.equal([])
    expect(complaints).to.deep.equal([])
  })
})
