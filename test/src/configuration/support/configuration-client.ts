/** What a request about the configuration was answered. */
export interface ConfigurationAnswer {
  readonly status: number
  readonly body: Record<string, unknown>
}

/** The routes of the configuration, for one credential. */
export interface ConfigurationClient {
  get(): Promise<Record<string, unknown>>
  /** Against the revision of now. */
  patch(patch: unknown): Promise<ConfigurationAnswer>
  check(patch: unknown): Promise<ConfigurationAnswer>
  send(method: string, path: string, body?: unknown, headers?: Readonly<Record<string, string>>): Promise<ConfigurationAnswer>
}

export function configurationClient(url: string, token: string): ConfigurationClient {
  const send: ConfigurationClient['send'] = async (method, path, body, headers = {}) => {
    const answer = await fetch(`${url}${path}`, {
      method,
      headers: { ...headers, authorization: `Bearer ${token}`, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    const text = await answer.text()
    return { status: answer.status, body: text === '' ? {} : (JSON.parse(text) as Record<string, unknown>) }
  }
  const get = async (): Promise<Record<string, unknown>> => (await send('GET', '/api/admin/config')).body
  return {
    send,
    get,
    patch: async (patch) => send('PATCH', '/api/admin/config', patch, { 'if-match': String((await get())['revision']) }),
    check: (patch) => send('POST', '/api/admin/config/check', patch),
  }
}

/** The paths of what an answer finds wrong. */
export const pathsOf = (found: unknown): readonly string[] => (found as readonly { readonly path: string }[]).map(({ path }) => path)
