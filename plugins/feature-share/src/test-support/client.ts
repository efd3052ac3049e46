/** A new link, as the API answers it. */
export interface NewShare {
  readonly id: string
  readonly content_url: string
  readonly page_url: string
}

const password = 'a long enough password'

/** `/s/<secret>` of a link, for a service that is not at its configured address. */
export const pathOf = (url: string): string => {
  const found = /\/[sp]\/[\w-]+$/.exec(url)?.[0]
  if (found === undefined) throw new Error(`${url} is no link.`)
  return found
}

/** A person of a test, over HTTP alone. */
export class Client {
  readonly url: string
  readonly username: string
  readonly userId: string
  private token: string

  private constructor(url: string, username: string, userId: string, token: string) {
    this.url = url
    this.username = username
    this.userId = userId
    this.token = token
  }

  static async signUp(url: string, username: string): Promise<Client> {
    const { access_token, user } = await account(url, 'register', username)
    return new Client(url, username, user.id, access_token)
  }

  /** Again, after the clock was moved. */
  async signIn(): Promise<void> {
    this.token = (await account(this.url, 'login', this.username)).access_token
  }

  async confirm(): Promise<void> {
    const status = await this.status('POST', '/api/auth/confirm', { password })
    if (status !== 200) throw new Error(`Confirming was answered with ${status}.`)
  }

  async status(method: string, path: string, body?: object): Promise<number> {
    return (await this.send(method, path, body)).status
  }

  async get(path: string): Promise<Record<string, unknown>> {
    const answer = await this.send('GET', path)
    const json = (await answer.json()) as Record<string, unknown>
    if (!answer.ok) throw new Error(`GET ${path} was answered with ${answer.status}: ${String(json['detail'])}`)
    return json
  }

  async share(body: object, headers: Readonly<Record<string, string>> = {}): Promise<NewShare> {
    const answer = await this.send('POST', '/api/shares', body, headers)
    const text = await answer.text()
    if (answer.status !== 201) throw new Error(`Sharing was answered with ${answer.status}: ${text}`)
    return JSON.parse(text) as NewShare
  }

  async put(path: string, content: string | Uint8Array<ArrayBuffer>): Promise<void> {
    const answer = await fetch(`${this.url}/api/files/content?path=${encodeURIComponent(path)}`, {
      ...{ method: 'PUT', body: content },
      headers: { authorization: `Bearer ${this.token}`, 'content-type': 'application/octet-stream' },
    })
    if (!answer.ok) throw new Error(`The upload was answered with ${answer.status}: ${await answer.text()}`)
  }

  private send(method: string, path: string, body?: object, headers: Readonly<Record<string, string>> = {}): Promise<Response> {
    return fetch(`${this.url}${path}`, {
      method,
      headers: { ...headers, authorization: `Bearer ${this.token}`, ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
    })
  }
}

async function account(url: string, what: 'register' | 'login', username: string) {
  const answer = await fetch(`${url}/api/auth/${what}`, {
    ...{ method: 'POST', headers: { 'content-type': 'application/json' } },
    body: JSON.stringify({ username, password }),
  })
  if (!answer.ok) throw new Error(`${what} was answered with ${answer.status}: ${await answer.text()}`)
  return (await answer.json()) as { readonly access_token: string; readonly user: { readonly id: string } }
}
