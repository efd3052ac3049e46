import { expect } from 'chai'
import { type AgentsKernel, endOf, startAgentsKernel } from '../agents/support/agents-kernel.js'
import { says, setScript } from '../agents/support/scripted-plugin.js'
import { closeBrowser, openPage, widths } from './open-page.js'

const long = 'Donaudampfschifffahrtsgesellschaft'.repeat(12)
const columns = Array.from({ length: 12 }, (_, index) => `column ${index}`)
const answer = `# Plan

| ${columns.join(' | ')} |
|${columns.map(() => '---').join('|')}|
| ${columns.map((each) => `${each} has a long value`).join(' | ')} |

\`\`\`js
const line = '${'x'.repeat(300)}'
\`\`\`

${long} and \`${'y'.repeat(200)}\` and https://example.org/${'z'.repeat(200)}

![A picture](https://example.org/picture.png)

هذا نص طويل من اليمين إلى اليسار، مع كلمات English في وسطه، ورقم 2026.

1. One
   - ${'w'.repeat(150)}

> ${'q'.repeat(150)}
`

describe('the page of a shared chat', function () {
  this.timeout(60_000)
  let agents: AgentsKernel
  before(async () => {
    setScript({ answer: () => says(answer) })
    agents = await startAgentsKernel()
  })
  after(async () => {
    await closeBrowser()
    await agents.close()
  })

  it('reads well on a phone with tables, code, long words and text from right to left', async () => {
    const person = await agents.person('ada')
    const chatId = await person.newChat()
    const stream = await person.stream()
    await endOf(stream, await person.post(chatId, `Plan it: ${long}`))
    stream.close()
    const { status, body } = await person.request('POST', '/api/shares', { chat_id: chatId })
    expect(status, JSON.stringify(body)).to.equal(201)
    const link = new URL(String(body['content_url'])).pathname.replace('/s/', '/p/')
    const reader = await openPage(agents.kernel)
    const { page, open, inspect, complaints, close } = reader
    await open(link)
    await page.getByRole('heading', { name: 'Plan', exact: true }).waitFor()
    await page.setViewportSize(widths.phone)
    await page.getByText('column 11 has a long value').waitFor()
    expect(await inspect('shared-chat')).to.deep.equal([])
    await page.setViewportSize(widths.phone)
    // What is too wide scrolls by itself; the page does not.
    expect(await page.evaluate('document.documentElement.scrollWidth')).to.equal(widths.phone.width)
    const directionOf = `getComputedStyle([...document.querySelectorAll('p')].find((each) => each.textContent.startsWith('هذا'))).direction`
    expect(await page.evaluate(directionOf)).to.equal('rtl')
    expect(complaints).to.deep.equal([])
    await close()
  })
})
