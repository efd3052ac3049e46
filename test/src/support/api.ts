import { EventSourceParserStream } from 'eventsource-parser/stream'

/** A person's client: it knows the HTTP API and nothing else. */
export interface Api {
  readonly url: string
  readonly token: string
  readonly userId: string
  request(method: string, path: string, body?: unknown): Promise<{ readonly status: number; readonly body: Record<string, unknown> }>
  /** The user's stream, from now on or from an id. Resolves once the service has accepted it. */
  stream(options?: { readonly after?: string; readonly chatId?: string }): Promise<EventStream>
}

export interface StreamedEvent {
  readonly id: string | undefined
  readonly name: string
  readonly data: Record<string, unknown>
}

export interface EventStream {
  /** Every event so far. */
  readonly events: readonly StreamedEvent[]
  /**
   * Resolves with the first event, past or to come, that fits. Rejects when the stream ends before
   * it, or after a minute.
   */
  until(fits: (event: StreamedEvent) => boolean): Promise<StreamedEvent>
  /** The same, without looking at the events before this index. */
  next(from: number, fits: (event: StreamedEvent) => boolean): Promise<StreamedEvent>
  close(): void
}

/**
 * Signs up, or signs in where the name is taken, and gives a client for that person. `setupCode`:
 * for the first account of a service that is for others too.
 */
export async function signUp(url: string, username: string, password = 'a long enough password', setupCode?: string): Promise<Api> {
  const response = await postAccount(url, 'register', username, password, setupCode)
  return response.status === 409 ? signIn(url, username, password) : clientOf(url, response)
}

/** Signs in and gives a client for that person. */
export async function signIn(url: string, username: string, password: string): Promise<Api> {
  return clientOf(url, await postAccount(url, 'login', username, password))
}

/**
 * Confirms with the password that it is the person who has the client: for five minutes its session
 * may change accounts.
 */
export async function confirm(api: Api, password = 'a long enough password'): Promise<void> {
  const { status, body } = await api.request('POST', '/api/auth/confirm', { password })
  if (status !== 200) throw new Error(`Confirming answered ${status}: ${String(body['detail'])}`)
}

const postAccount = (
  url: string,
  operation: 'register' | 'login',
  username: string,
  password: string,
  setupCode?: string,
): Promise<Response> =>
  fetch(`${url}/api/auth/${operation}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ username, password, ...(setupCode === undefined ? {} : { setup_code: setupCode }) }),
  })

async function clientOf(url: string, response: Response): Promise<Api> {
  const body = (await response.json()) as { access_token: string; user: { id: string }; detail?: string }
  if (!response.ok) throw new Error(`Signing up answered ${response.status}: ${body.detail ?? ''}`)
  return clientWith(url, { token: body.access_token, userId: body.user.id })
}

/** The client of a person who is signed in: at another address after the service has started again. */
export function clientWith(url: string, { token, userId }: Pick<Api, 'token' | 'userId'>): Api {
  const authorization = `Bearer ${token}`
  return {
    url,
    token,
    userId,
    async request(method, path, content) {
      const answer = await fetch(`${url}${path}`, {
        method,
        headers: { authorization, ...(content === undefined ? {} : { 'content-type': 'application/json' }) },
        ...(content === undefined ? {} : { body: JSON.stringify(content) }),
      })
      const text = await answer.text()
      return { status: answer.status, body: text === '' ? {} : (JSON.parse(text) as Record<string, unknown>) }
    },
    async stream(options = {}) {
      const search = new URLSearchParams({
        ...(options.after === undefined ? {} : { after: options.after }),
        ...(options.chatId === undefined ? {} : { chat_id: options.chatId }),
      })
      const controller = new AbortController()
      const answer = await fetch(`${url}/api/events?${search}`, { headers: { authorization }, signal: controller.signal })
      if (!answer.ok || !answer.body) throw new Error(`The stream answered ${answer.status}: ${await answer.text()}`)
      return readStream(answer.body, controller)
    },
  }
}

function readStream(body: ReadableStream<Uint8Array>, controller: AbortController): EventStream {
  const events: StreamedEvent[] = []
  const listeners = new Set<() => void>()
  let ended: Error | undefined
  const parsed = body.pipeThrough(new TextDecoderStream()).pipeThrough(new EventSourceParserStream())
  const read = async (): Promise<void> => {
    for await (const event of parsed) {
      if (event.data === '') continue
      events.push({ id: event.id, name: event.event ?? 'message', data: JSON.parse(event.data) as Record<string, unknown> })
      for (const listener of [...listeners]) listener()
    }
  }
  read()
    .then(
      () => new Error('The stream ended.'),
      (error: unknown) => (error instanceof Error ? error : new Error(String(error))),
    )
    .then((reason) => {
      ended = reason
      for (const listener of [...listeners]) listener()
    })

  return {
    events,
    until: (fits) => search(0, fits),
    next: search,
    close: () => controller.abort(),
  }

  function search(from: number, fits: (event: StreamedEvent) => boolean): Promise<StreamedEvent> {
    return new Promise((resolve, reject) => {
      let next = from
      const timer = setTimeout(
        () => finish(() => reject(new Error(`No such event within a minute. Seen: ${events.map((event) => event.name).join(', ')}`))),
        60_000,
      )
      const finish = (settle: () => void): void => {
        clearTimeout(timer)
        listeners.delete(look)
        settle()
      }
      const look = (): void => {
        for (; next < events.length; next += 1) {
          const event = events[next]
          if (event && fits(event)) {
            finish(() => resolve(event))
            return
          }
        }
        if (ended) finish(() => reject(ended as Error))
      }
      listeners.add(look)
      look()
    })
  }
}
