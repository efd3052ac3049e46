import { Buffer } from 'node:buffer'

/** What a person who has signed in holds. */
export interface SignedInPerson {
  readonly userId: string
  readonly accessToken: string
  /** `refresh_token=…`, as a browser sends it back. */
  readonly cookie: string
  readonly authorization: Readonly<Record<string, string>>
}

export interface Answer {
  readonly status: number
  readonly headers: Headers
  readonly json: Record<string, unknown>
  readonly text: string
}

export interface Request {
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: unknown
}

/** Sends requests as a program does: nothing is kept between two of them. */
export interface Client {
  readonly url: string
  send(method: string, path: string, request?: Request): Promise<Answer>
  /** Signs up. The first account of a service that is not for this machine alone needs its code. */
  signUp(username: string, password?: string, setupCode?: string): Promise<SignedInPerson>
  signIn(username: string, password?: string, headers?: Readonly<Record<string, string>>): Promise<SignedInPerson>
  /**
   * Confirms with the password that it is the person: for five minutes the session may change
   * accounts.
   */
  confirm(person: Pick<SignedInPerson, 'authorization'>, password?: string): Promise<void>
}

export const usualPassword = 'a long enough password'

export const bearer = (token: string): Readonly<Record<string, string>> => ({ authorization: `Bearer ${token}` })

/**
 * A client of a service. Requests come from addresses of their own where the service trusts this
 * machine as a proxy (`trustedProxy`), so that the limit of account routes does not answer first.
 */
export function createClient(url: string, options: { readonly trustedProxy?: boolean } = {}): Client {
  let requests = 0
  const ownAddress = (): Readonly<Record<string, string>> => {
    requests += 1
    return options.trustedProxy ? { 'x-forwarded-for': `198.18.${(requests >> 8) & 255}.${requests & 255}` } : {}
  }

  async function send(method: string, path: string, { headers = {}, body }: Request = {}): Promise<Answer> {
    const answer = await fetch(`${url}${path}`, {
      method,
      headers: { ...ownAddress(), ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
      redirect: 'manual',
    })
    const text = Buffer.from(await answer.arrayBuffer()).toString('utf8')
    const isJson = text !== '' && /\bjson\b/.test(answer.headers.get('content-type') ?? '')
    return { status: answer.status, headers: answer.headers, text, json: isJson ? (JSON.parse(text) as Record<string, unknown>) : {} }
  }

  const personOf = ({ status, headers, json, text }: Answer): SignedInPerson => {
    if (status >= 300) throw new Error(`The sign-in answered ${status}: ${text}`)
    const accessToken = String(json['access_token'])
    return {
      userId: (json['user'] as { readonly id: string }).id,
      accessToken,
      cookie: (headers.get('set-cookie') ?? '').split(';')[0] ?? '',
      authorization: bearer(accessToken),
    }
  }

  return {
    url,
    send,
    signUp: async (username, password = usualPassword, code) =>
      personOf(
        await send('POST', '/api/auth/register', { body: { username, password, ...(code === undefined ? {} : { setup_code: code }) } }),
      ),
    signIn: async (username, password = usualPassword, headers = {}) =>
      personOf(await send('POST', '/api/auth/login', { headers, body: { username, password } })),
    async confirm({ authorization }, password = usualPassword) {
      const { status, text } = await send('POST', '/api/auth/confirm', { headers: authorization, body: { password } })
      if (status !== 200) throw new Error(`Confirming answered ${status}: ${text}`)
    },
  }
}
