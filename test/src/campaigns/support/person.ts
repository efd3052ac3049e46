import { setTimeout } from 'node:timers/promises'

/** How long a service that answers 503 is asked again, in milliseconds. */
const patienceMs = 20_000

/** A person with an account. The token outlives the processes of the service. */
export interface Person {
  readonly username: string
  readonly token: string
}

/** An answer of the service. */
export interface Answer {
  readonly status: number
  readonly body: Readonly<Record<string, unknown>>
}

/** A message as the service lists it. */
export interface StoredMessage {
  readonly id: string
  readonly run_id?: string
  readonly role: string
  readonly status: string
  readonly event_id?: string
  readonly content: readonly StoredPart[]
}

export interface StoredPart {
  readonly type: string
  readonly text?: string
  readonly call_id?: string
  readonly name?: string
  readonly outcome?: string
  readonly content?: readonly { readonly text?: string }[]
}

/** A summary as the service lists it. */
export interface StoredSummary {
  readonly id: string
  /** It stands for the messages before this sequence. */
  readonly until: number
  readonly text: string
  readonly undone_at: string | null
}

/** Signs up. Waits where the service says that there were too many sign-ups. */
export async function signUpPerson(url: string, username: string): Promise<Person> {
  for (;;) {
    const answer = await fetch(`${url}/api/auth/register`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ username, password: 'a long enough password' }),
    })
    const body = (await answer.json()) as { readonly access_token?: string; readonly detail?: string }
    if (answer.status === 429) {
      await setTimeout(Number(answer.headers.get('retry-after') ?? 1) * 1000)
      continue
    }
    if (body.access_token === undefined) throw new Error(`Signing up answered ${answer.status}: ${body.detail ?? ''}`)
    return { username, token: body.access_token }
  }
}

/**
 * Sends a request as a person. A service that has no room for it, or is not there yet, is asked
 * again.
 */
export async function ask(url: string, person: Person, method: string, path: string, content?: unknown): Promise<Answer> {
  for (const end = Date.now() + patienceMs; ; await setTimeout(250)) {
    const answer = await fetch(`${url}${path}`, {
      method,
      headers: { authorization: `Bearer ${person.token}`, ...(content === undefined ? {} : { 'content-type': 'application/json' }) },
      ...(content === undefined ? {} : { body: JSON.stringify(content) }),
      signal: AbortSignal.timeout(30_000),
    })
    const text = await answer.text()
    if (answer.status === 503 && Date.now() < end) continue
    return { status: answer.status, body: text === '' ? {} : (JSON.parse(text) as Record<string, unknown>) }
  }
}

/** As {@link ask}. @throws unless the answer has this status. */
export async function askFor(status: number, ...given: Parameters<typeof ask>): Promise<Readonly<Record<string, unknown>>> {
  const answer = await ask(...given)
  if (answer.status !== status) throw new Error(`${given[2]} ${given[3]} answered ${answer.status}: ${JSON.stringify(answer.body)}`)
  return answer.body
}

/**
 * Lets the person's agent call these tools, without asking but for those of `asked`; `more`: what
 * else is changed of the agent.
 */
export async function allowTools(
  url: string,
  person: Person,
  tools: readonly string[],
  asked: readonly string[] = [],
  more: Readonly<Record<string, unknown>> = {},
): Promise<void> {
  const { items } = await askFor(200, url, person, 'GET', '/api/agents')
  const [agent] = items as readonly { readonly id: string }[]
  await askFor(200, url, person, 'PATCH', `/api/agents/${agent?.id}`, {
    tools,
    approval: { '*': 'never', ...Object.fromEntries(asked.map((tool) => [tool, 'always'])) },
    ...more,
  })
}

export const newChat = async (url: string, person: Person): Promise<string> =>
  String((await askFor(201, url, person, 'POST', '/api/chats', {}))['id'])

/** Posts a message and gives the id of its run. */
export async function post(url: string, person: Person, chatId: string, content: string): Promise<string> {
  const body = await askFor(202, url, person, 'POST', `/api/chats/${chatId}/messages`, { content })
  return (body['run'] as { readonly id: string }).id
}

/** All messages of a chat, from old to new. */
export async function messagesOf(url: string, person: Person, chatId: string): Promise<readonly StoredMessage[]> {
  const messages: StoredMessage[] = []
  let cursor: unknown = null
  do {
    const page = await askFor(
      200,
      url,
      person,
      'GET',
      `/api/chats/${chatId}/messages?limit=200${cursor === null ? '' : `&cursor=${encodeURIComponent(String(cursor))}`}`,
    )
    messages.push(...(page['items'] as readonly StoredMessage[]))
    cursor = page['next_cursor']
  } while (cursor !== null)
  return messages
}

/** The newest summaries of a chat, those that reach furthest first. */
export async function summariesOf(url: string, person: Person, chatId: string): Promise<readonly StoredSummary[]> {
  const page = await askFor(200, url, person, 'GET', `/api/chats/${chatId}/summaries?limit=200`)
  return page['items'] as readonly StoredSummary[]
}

/** The text of a message, without what else is in it. */
export const textOf = (message: StoredMessage | undefined): string =>
  (message?.content ?? []).map((part) => (part.type === 'text' ? (part.text ?? '') : '')).join('')
