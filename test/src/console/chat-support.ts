import type { ConsolePage } from './open-page.js'

/** An operation of the API, called from the page with its cookie. Returns the JSON of the answer. */
export function callApi<Answer = Record<string, unknown>>(
  { page }: Pick<ConsolePage, 'page'>,
  method: string,
  path: string,
  body?: unknown,
): Promise<Answer> {
  return page.evaluate(
    async ([verb, address, content]) => {
      const init = content === null ? {} : { headers: { 'content-type': 'application/json' }, body: content }
      const answer = await fetch(address, { method: verb, ...init })
      const text = await answer.text()
      return (text === '' ? {} : JSON.parse(text)) as unknown
    },
    [method, path, body === undefined ? null : JSON.stringify(body)] as const,
  ) as Promise<Answer>
}

/** A chat of the person who is signed in at the page, opened; their agent gets these members. */
export async function openChat(opened: ConsolePage, agent: Readonly<Record<string, unknown>> = {}, title?: string): Promise<string> {
  const { items } = await callApi<{ readonly items: readonly { readonly id: string }[] }>(opened, 'GET', '/api/agents')
  const agentId = items[0]?.id
  await callApi(opened, 'PATCH', `/api/agents/${agentId}`, agent)
  const { id } = await callApi<{ readonly id: string }>(opened, 'POST', '/api/chats', {
    agent_id: agentId,
    ...(title !== undefined && { title }),
  })
  await opened.open(`/chats/${id}`)
  return id
}

export const ask = async ({ page }: Pick<ConsolePage, 'page'>, text: string): Promise<void> => {
  await page.getByRole('textbox', { name: 'Message' }).fill(text)
  await page.keyboard.press('Enter')
}

/** Waits until so many files have been uploaded and checked for the message that is being written. */
export async function uploaded(page: ConsolePage['page'], count: number): Promise<void> {
  await page
    .locator('.composer .file')
    .nth(count - 1)
    .waitFor()
  const underWay = ['.m', '.meta:has-text("%")', '.meta:has-text("Checking")'].map((each) => `.composer .file ${each}`)
  await page.locator(underWay.join(', ')).first().waitFor({ state: 'detached' })
}

/** A PNG of one pixel. */
export const onePixel: Buffer = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)
