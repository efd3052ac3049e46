import { createTestKernel, type TestKernel } from '@agent-service/kernel/testing'
import { type Browser, createBrowser, type Page } from './browser.js'
import { type IdentityProviderPeer, startIdentityProvider } from './identity-provider.js'

/** A service whose people sign in at an identity provider. */
export interface SignOnService {
  readonly kernel: TestKernel
  readonly peer: IdentityProviderPeer
  /** The service as its links name it. */
  readonly url: string
  /** A browser at an address of its own. */
  browser(): Browser
  /**
   * Goes to the login and signs in at the provider, up to where the browser lands. An empty subject
   * refuses.
   */
  signIn(browser: Browser, subject: string, query?: Readonly<Record<string, string>>): Promise<Page>
  /**
   * Confirms on a page of the service that it is still the person: signs in at the provider again,
   * up to where the browser lands.
   */
  confirm(browser: Browser, subject: string): Promise<Page>
  /** The same up to the callback, which is not opened. */
  callbackFor(browser: Browser, subject: string, query?: Readonly<Record<string, string>>): Promise<string>
  /** The profile of whoever is signed in in a browser, by the refresh cookie. */
  profile(browser: Browser): Promise<{ readonly token: string; readonly user: Readonly<Record<string, unknown>> }>
  stop(): Promise<void>
}

/** Starts the service before the provider answers anything. `environment`: more settings. */
export async function startSignOnService(environment: Readonly<Record<string, string>>): Promise<SignOnService> {
  const peer = await startIdentityProvider()
  const kernel = await createTestKernel({
    environment: {
      SERVICE_SSO_ENABLED: 'true',
      SERVICE_SSO_AUTHORITY: peer.authority,
      SERVICE_SSO_CLIENT_ID: peer.clientId,
      SERVICE_SSO_CLIENT_SECRET: peer.clientSecret,
      SERVICE_SSO_SCOPES: 'openid email profile',
      SERVICE_SERVER_TRUSTED_PROXIES: '127.0.0.1',
      ...environment,
    },
  }).catch(async (error: unknown) => {
    await peer.close()
    throw error
  })
  const url = kernel.url.replace(/127\.0\.0\.1|0\.0\.0\.0/, 'localhost')
  let browsers = 0

  const loginUrl = (query: Readonly<Record<string, string>>): string => `${url}/api/auth/sso/login?${new URLSearchParams(query).toString()}`
  const isAtProvider = (page: Page): boolean => page.url.pathname.startsWith('/interaction/')

  return {
    kernel,
    peer,
    url,
    browser: () => createBrowser({ address: `198.51.100.${++browsers}` }),
    async signIn(browser, subject, query = {}) {
      const page = await browser.open(loginUrl(query))
      return isAtProvider(page) ? browser.submit(page, { subject }) : page
    },
    async confirm(browser, subject) {
      const page = await browser.open(loginUrl({ confirm: 'true', return_to: '/settings' }))
      return isAtProvider(page) ? browser.submit(page, { subject }) : page
    },
    async callbackFor(browser, subject, query = {}) {
      const isCallback = (at: URL): boolean => at.pathname === '/api/auth/sso/callback'
      const page = await browser.open(loginUrl(query), isCallback)
      const end = isAtProvider(page) ? await browser.submit(page, { subject }, isCallback) : page
      return end.url.href
    },
    async profile(browser) {
      const response = await browser.call('POST', `${url}/api/auth/refresh`)
      if (!response.ok) throw new Error(`Nobody is signed in: ${response.status}`)
      const body = (await response.json()) as { readonly access_token: string; readonly user: Readonly<Record<string, unknown>> }
      return { token: body.access_token, user: body.user }
    },
    async stop() {
      await kernel.stop()
      await peer.close()
    },
  }
}

/** The status of a page that says why not, with its code. */
export const refusalOn = ({ status, text }: Page): string => `${status} ${/<small>(\w+)<\/small>/.exec(text)?.[1] ?? ''}`.trim()
