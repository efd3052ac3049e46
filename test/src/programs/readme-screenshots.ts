/**
 * Makes the pictures of the README: `node test/dist/programs/readme-screenshots.js`. Run it again
 * when the console looks different.
 */
import { mkdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { createTestKernel } from '@agent-service/kernel/testing'
import type { Page } from 'playwright-core'
import { closeBrowser, openPage } from '../console/open-page.js'
import { callAs, newChat } from '../console/support/chat-page.js'
import { scriptedEnvironment } from '../console/support/scripted-service.js'

const target = fileURLToPath(new URL('../../../resources/screenshots/', import.meta.url))
const maxBytes = 150 * 1024

const colleagues = [
  ['Ops', 'O', 'Looks after servers, backups and certificates.'],
  ['Bookkeeping', 'B', 'Sorts receipts and prepares the monthly report.'],
  ['Front desk', 'F', 'Answers questions of visitors from the handbook.'],
] as const

const titles = [
  'Slow nightly backup',
  'Offer for the library',
  'Trip to Bergen in May',
  'Certificates that expire in June',
  'Notes on the reading group',
] as const

const answer = `The backup is slow because it compresses the photo archive **again every night**: 41 of its 47 minutes.

| Step | Time | Changed since yesterday |
|---|---:|---|
| Database | 2 min | yes |
| Home folders | 4 min | yes |
| Photo archive | 41 min | no |

Pictures are compressed already, so leaving them as they are costs no space:

\`\`\`diff
- tar --create --gzip --file photos.tar.gz photos/
+ rsync --archive --delete photos/ backup:/photos/
\`\`\`

With this change tonight’s run should take about **seven minutes**. Shall I edit the script and start a trial run?`

/** What the person asked, a command of the agent with its output, and the answer. */
const conversation = [
  { role: 'user', run: 1, content: [{ type: 'text', text: 'Last night’s backup took 47 minutes. Find out why, but change nothing yet.' }] },
  {
    role: 'assistant',
    run: 1,
    model: 'primary',
    content: [
      { type: 'text', text: 'I read the log of the last run and measure each step.' },
      { type: 'tool_call', call_id: 'call-1', name: 'shell', arguments: { command: 'grep "step=" backup.log | tail -3' } },
    ],
  },
  {
    role: 'tool',
    run: 1,
    content: [
      {
        type: 'tool_result',
        call_id: 'call-1',
        name: 'shell',
        content: [{ type: 'text', text: 'step=database took=121s\nstep=home took=243s\nstep=photos took=2462s\n' }],
      },
    ],
  },
  { role: 'assistant', run: 1, model: 'primary', content: [{ type: 'text', text: answer }] },
] as const

async function furnish(page: Page): Promise<string> {
  await callAs(page, 'PATCH', '/api/auth/me', { name: 'Ada' })
  // Machines without a font for emoji show letters.
  const { items } = await callAs<{ readonly items: readonly { readonly id: string; readonly name: string }[] }>(page, 'GET', '/api/agents')
  for (const { id, name } of items) await callAs(page, 'PATCH', `/api/agents/${id}`, { avatar: name.charAt(0) })
  for (const [name, avatar, description] of colleagues)
    await callAs(page, 'POST', '/api/agents', { name, avatar, description, instructions: `${description} Answer first, explain after.` })
  const emptyId = await newChat(page)
  const empty = await callAs(page, 'GET', `/api/chats/${emptyId}/export`)
  await callAs(page, 'DELETE', `/api/chats/${emptyId}`)
  let chatId = ''
  for (const title of [...titles].reverse()) {
    const began = Date.now() - 40_000
    const messages = conversation.map((message, index) => ({
      ...{ branch: 1, sequence: index, status: 'complete', created_at: new Date(began + index * 9_000).toISOString() },
      ...message,
    }))
    const { chat, id } = await callAs<{ readonly id?: string; readonly chat?: { readonly id: string } }>(
      page,
      'POST',
      '/api/chats/import',
      {
        ...empty,
        messages,
      },
    )
    chatId = id ?? chat?.id ?? ''
    await callAs(page, 'PATCH', `/api/chats/${chatId}`, { title })
  }
  return chatId
}

/** A WebP as small as it has to be. */
async function capture(page: Page, name: string): Promise<void> {
  const session = await page.context().newCDPSession(page)
  for (const quality of [90, 80, 70, 60]) {
    const { data } = await session.send('Page.captureScreenshot', { format: 'webp', quality })
    const bytes = Buffer.from(data, 'base64')
    if (bytes.length > maxBytes) continue
    await writeFile(path.join(target, `${name}.webp`), bytes)
    process.stdout.write(`${name}.webp: ${(bytes.length / 1024).toFixed(0)} KB at quality ${quality}\n`)
    return
  }
  throw new Error(`${name} is larger than ${maxBytes / 1024} KB at every quality.`)
}

await mkdir(target, { recursive: true })
const kernel = await createTestKernel({
  environment: scriptedEnvironment({ reply: 'Yes.', wordDelayMs: 0 }),
})
try {
  const { page, open } = await openPage(kernel, { credentials: { username: 'ada', password: 'a long enough password' } })
  const chatId = await furnish(page)
  await page.setViewportSize({ width: 1280, height: 800 })
  await open(`/chats/${chatId}`)
  await page.locator('figure.code').waitFor()
  await page.evaluate('document.fonts.ready.then(() => document.activeElement.blur())')
  await capture(page, 'chat')
  await open('/agents')
  await page.getByRole('link', { name: 'Ops' }).first().waitFor()
  await capture(page, 'agents')
  await page.emulateMedia({ colorScheme: 'dark' })
  await open('/admin/settings')
  await page.locator('[data-path]').first().waitFor()
  await capture(page, 'settings')
} finally {
  await closeBrowser()
  await kernel.stop()
}
