/** Where a browser ended up. */
export interface Page {
  readonly url: URL
  readonly status: number
  readonly text: string
  /** Every address on the way, this one last. */
  readonly way: readonly string[]
}

/**
 * A browser as far as signing in needs one: it keeps cookies by host and path, and follows
 * redirects.
 */
export interface Browser {
  /**
   * Opens an address. `until`: stops at the first redirect to an address that fits, without opening
   * it.
   */
  open(url: string, until?: (url: URL) => boolean): Promise<Page>
  /** Sends the form of a page and goes on from there. */
  submit(page: Page, fields: Readonly<Record<string, string>>, until?: (url: URL) => boolean): Promise<Page>
  /** A request as a script on a page makes it. */
  call(method: string, url: string, body?: unknown, headers?: Readonly<Record<string, string>>): Promise<Response>
  /** The cookies that go along to an address, by name. */
  cookies(url: string): Readonly<Record<string, string>>
  /** Forgets the cookies of a host: its person has signed out there. */
  forget(url: string): void
}

const mostRedirects = 20

/** Makes one without cookies. `address`: where it is, as a proxy says. */
export function createBrowser(options: { readonly address?: string } = {}): Browser {
  const jar = new Map<string, { readonly host: string; readonly name: string; readonly path: string; readonly value: string }>()

  const cookies: Browser['cookies'] = (address) => {
    const { hostname, pathname } = new URL(address)
    const sent = [...jar.values()].filter(
      ({ host, path }) => host === hostname && (pathname === path || pathname.startsWith(path.endsWith('/') ? path : `${path}/`)),
    )
    return Object.fromEntries(sent.map(({ name, value }) => [name, value]))
  }
  const keep = (url: URL, response: Response): void => {
    for (const line of response.headers.getSetCookie()) {
      const [pair = '', ...attributes] = line.split(/; */)
      const name = pair.slice(0, pair.indexOf('='))
      const attribute = (wanted: string): string | undefined =>
        attributes.map((text) => text.split('=')).find(([key]) => key?.toLowerCase() === wanted)?.[1]
      const path = attribute('path') ?? '/'
      const key = JSON.stringify([url.hostname, path, name])
      const expires = attribute('expires')
      const isOver = attribute('max-age') === '0' || (expires !== undefined && Date.parse(expires) < Date.now())
      if (isOver) jar.delete(key)
      else jar.set(key, { host: url.hostname, name, path, value: pair.slice(pair.indexOf('=') + 1) })
    }
  }
  const send = async (url: URL, init: RequestInit): Promise<Response> => {
    const headers = new Headers(init.headers)
    const cookie = Object.entries(cookies(url.href)).map(([name, value]) => `${name}=${value}`)
    if (cookie.length > 0) headers.set('cookie', cookie.join('; '))
    if (options.address !== undefined) headers.set('x-forwarded-for', options.address)
    headers.set('user-agent', 'test browser')
    const response = await fetch(url, { ...init, headers, redirect: 'manual' })
    keep(url, response)
    return response
  }
  const follow = async (start: URL, init: RequestInit, until: (url: URL) => boolean): Promise<Page> => {
    const way = [start.href]
    let [url, response] = [start, await send(start, init)]
    while (response.status >= 300 && response.status < 400) {
      if (way.length > mostRedirects) throw new Error(`Redirected too often: ${way.join(' → ')}`)
      url = new URL(response.headers.get('location') ?? '', url)
      way.push(url.href)
      if (until(url)) return { url, status: response.status, text: '', way }
      await response.body?.cancel()
      response = await send(url, { headers: { accept: 'text/html,*/*;q=0.8' } })
    }
    return { url, status: response.status, text: await response.text(), way }
  }
  const never = (): boolean => false

  return {
    cookies,
    forget(address) {
      for (const [key, { host }] of jar) if (host === new URL(address).hostname) jar.delete(key)
    },
    open: (url, until = never) => follow(new URL(url), { headers: { accept: 'text/html,*/*;q=0.8' } }, until),
    submit: (page, fields, until = never) =>
      follow(page.url, { method: 'POST', body: new URLSearchParams(fields), headers: { accept: 'text/html,*/*;q=0.8' } }, until),
    call: (method, url, body, headers = {}) =>
      send(new URL(url), {
        method,
        headers: { accept: 'application/json', ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      }),
  }
}
