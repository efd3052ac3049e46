import type { Locator, Page } from 'playwright-core'

/** A message as the service lists it. */
export interface StoredMessage {
  readonly role: string
  readonly status: string
  readonly content: readonly { readonly type: string; readonly text?: string }[]
}

/** Calls the API with the session of the page. @throws unless it is answered with success. */
export async function callAs<Body = Readonly<Record<string, unknown>>>(
  page: Page,
  method: string,
  path: string,
  body?: unknown,
): Promise<Body> {
  const { ok, status, text } = await page.evaluate(
    async ([verb, address, content]) => {
      const headers = { 'content-type': 'application/json' }
      const answer = await fetch(address ?? '', { method: verb ?? 'GET', headers, ...(content !== undefined && { body: content }) })
      return { ok: answer.ok, status: answer.status, text: await answer.text() }
    },
    [method, path, body === undefined ? undefined : JSON.stringify(body)],
  )
  if (!ok) throw new Error(`${method} ${path} was answered with ${status}: ${text}`)
  return (text === '' ? {} : JSON.parse(text)) as Body
}

/** Makes a chat with the person's first agent, which is changed first if members are given. */
export async function newChat(page: Page, agent?: Readonly<Record<string, unknown>>): Promise<string> {
  const { items } = await callAs<{ readonly items: readonly { readonly id: string }[] }>(page, 'GET', '/api/agents')
  const id = items[0]?.id
  if (agent) await callAs(page, 'PATCH', `/api/agents/${id}`, agent)
  return String((await callAs(page, 'POST', '/api/chats', { agent_id: id }))['id'])
}

/** Makes a chat with as many messages of the person and of the agent in turns. */
export async function importChat(page: Page, count: number, textOf: (index: number) => string): Promise<string> {
  const empty = await callAs(page, 'GET', `/api/chats/${await newChat(page)}/export`)
  const messages = Array.from({ length: count }, (_, index) => ({
    branch: 1,
    sequence: index,
    run: Math.floor(index / 2) + 1,
    status: 'complete',
    created_at: new Date(index * 1_000).toISOString(),
    ...(index % 2 === 0 ? { role: 'user' } : { role: 'assistant', model: 'primary' }),
    content: [{ type: 'text', text: textOf(index) }],
  }))
  const answer = await callAs<{ readonly id?: string; readonly chat?: { readonly id: string } }>(page, 'POST', '/api/chats/import', {
    ...empty,
    messages,
  })
  return answer.id ?? answer.chat?.id ?? ''
}

/** The newest messages of a chat as the service has them, from old to new. */
export const storedMessages = async (page: Page, chatId: string): Promise<readonly StoredMessage[]> =>
  (await callAs<{ readonly items: readonly StoredMessage[] }>(page, 'GET', `/api/chats/${chatId}/messages?limit=200`)).items

export const textOf = (message: StoredMessage | undefined): string =>
  (message?.content ?? []).map((part) => (part.type === 'text' ? (part.text ?? '') : '')).join('')

export const messageField = (page: Page): Locator => page.getByRole('textbox', { name: 'Message' })

/** Writes a message and sends it with the Enter key. */
export async function write(page: Page, text: string): Promise<void> {
  await messageField(page).fill(text)
  await messageField(page).press('Enter')
}

/**
 * What the person said, as the screen has it, from old to new. Turns out of sight are not rendered,
 * so that they have no inner text.
 */
export const saidOn = (page: Page): Promise<readonly string[]> => page.locator('.turn.you .chat-said').allTextContents()

/** What the agent answered, as the screen shows it, one text for each run, without its line breaks. */
export async function answersOn(page: Page): Promise<readonly string[]> {
  const answers: string[] = []
  for (const turn of await page.locator('.turn.agent').all())
    answers.push((await turn.locator('.prose').allTextContents()).join(' ').replace(/\s+/g, ' ').trim())
  return answers
}

/**
 * Waits until no message waits to be sent and no answer is being written. A killed service had
 * perhaps begun to take a message: that is clear only a minute later.
 */
export async function untilQuiet(page: Page): Promise<void> {
  await page.locator('.turn.pending').first().waitFor({ state: 'detached', timeout: 90_000 })
  await page.locator('.chat > .bar .m-run').waitFor({ state: 'detached' })
  await page.locator('.caret').waitFor({ state: 'detached' })
}
