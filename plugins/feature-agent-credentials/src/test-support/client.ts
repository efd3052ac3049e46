import type { JsonObject } from '@agent-service/sdk'

const password = 'a long enough password'

/** A person of a test, over HTTP alone. */
export class Client {
  private readonly url: string
  private readonly token: string

  private constructor(url: string, token: string) {
    this.url = url
    this.token = token
  }

  static async signUp(url: string, username: string): Promise<Client> {
    const answer = await fetch(`${url}/api/auth/register`, {
      ...{ method: 'POST', headers: { 'content-type': 'application/json' } },
      body: JSON.stringify({ username, password }),
    })
    if (!answer.ok) throw new Error(`Registering was answered with ${answer.status}: ${await answer.text()}`)
    return new Client(url, ((await answer.json()) as { readonly access_token: string }).access_token)
  }

  /** For five minutes the session may do what needs a confirmation. */
  async confirm(): Promise<void> {
    await this.json('POST', '/api/auth/confirm', { password })
  }

  async status(method: string, path: string, body?: object, token?: string): Promise<number> {
    const answer = await this.send(method, path, body, token)
    await answer.text()
    return answer.status
  }

  /** The answer as text, whatever its status. */
  text = async (method: string, path: string, body?: object): Promise<string> => (await this.send(method, path, body)).text()

  async json(method: string, path: string, body?: object): Promise<JsonObject> {
    const answer = await this.send(method, path, body)
    const text = await answer.text()
    if (!answer.ok) throw new Error(`${method} ${path} was answered with ${answer.status}: ${text}`)
    return JSON.parse(text) as JsonObject
  }

  async list(path: string): Promise<readonly JsonObject[]> {
    return (await this.json('GET', path))['items'] as readonly JsonObject[]
  }

  private send(method: string, path: string, body?: object, token = this.token): Promise<Response> {
    return fetch(`${this.url}${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
    })
  }
}
