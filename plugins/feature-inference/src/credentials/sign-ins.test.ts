import { expect } from 'chai'
import type { SignInSettings } from '../catalogue/catalogue-schema.js'
import { createFakeDatabase, fakeSealedFields } from '../test-support/credential-fakes.js'
import { createFakeSecrets, createInstantClock } from '../test-support/fakes.js'
import { createCredentialStore } from './credential-store.js'
import type { SignInView } from './sign-in-view.js'
import { createSignIns } from './sign-ins.js'
import type { AskServer } from './token-endpoint.js'

const common = { token_url: 'https://vendor.test/token', client_id: 'client', scopes: ['read'] }
const browser: SignInSettings = {
  kind: 'browser',
  authorization_url: 'https://vendor.test/login?tenant=1',
  parameters: { hint: 'x' },
  ...common,
}
const device: SignInSettings = { kind: 'device', device_url: 'https://vendor.test/device', ...common }
const { signal } = new AbortController()
const actor = { userId: 'me', address: '::1' }

/** Sign-ins over a clock whose waits end at once, or, with `still`, never. */
function openSignIns(options: { readonly still?: boolean } = {}) {
  const instant = createInstantClock()
  const clock = options.still
    ? {
        ...instant,
        wait: (_milliseconds: number, waiting: { readonly signal: AbortSignal }) =>
          new Promise<void>((_, reject) => waiting.signal.addEventListener('abort', () => reject(waiting.signal.reason))),
      }
    : instant
  const lines: string[] = []
  const note = (message: string): void => void lines.push(message)
  const log = { debug: note, info: note, warn: note, error: note, child: () => log }
  const database = createFakeDatabase()
  const store = createCredentialStore({ database, sealedFields: fakeSealedFields, secrets: createFakeSecrets({}), clock })
  const completed: string[] = []
  const ask: AskServer = async (url) => ({
    kind: 'answer',
    body: url.endsWith('/device')
      ? { device_code: 'd', user_code: 'U', verification_uri: 'https://vendor.test', expires_in: 600, interval: 5 }
      : { access_token: 'access-token-1' },
  })
  const signIns = createSignIns({
    ...{ store, ask, clock, log },
    callbackUrl: () => 'http://service.test/callback',
    onCompleted: async ({ id }) => void completed.push(id),
  })
  const begin = (settings: SignInSettings): Promise<SignInView> =>
    signIns.begin({ brand: 'house', settings, label: 'Mine', actor }, { signal })
  const ended = async (id: string): Promise<SignInView> => {
    for (;;) {
      const view = signIns.get(id, 'me')
      if (view.state !== 'pending') return view
      await new Promise((resolve) => setImmediate(resolve))
    }
  }
  return { instant, lines, database, store, completed, signIns, begin, ended }
}

describe('sign-ins', () => {
  it('in the browser end when nobody comes back', async () => {
    const { begin, ended } = openSignIns()
    const { sign_in_id: id } = await begin(browser)
    expect(await ended(id)).to.include({ state: 'failed', reason: 'expired' })
  })

  it('in the browser send what the vendor wants beside the standard, and are told by their state alone', async () => {
    const { begin, signIns, completed } = openSignIns({ still: true })
    const { authorization_url: address = '', sign_in_id: id } = await begin(browser)
    const parameters = Object.fromEntries(new URL(address).searchParams)
    expect(parameters).to.include({ tenant: '1', hint: 'x', scope: 'read', redirect_uri: 'http://service.test/callback' })
    expect(parameters['code_challenge']).to.match(/^[A-Za-z0-9_-]{43}$/)
    for (const state of [undefined, '', 'other']) {
      const redirect = { code: 'c', ...(state !== undefined && { state }) }
      const error: unknown = await signIns.complete(redirect, { userId: 'me' }).catch((thrown: unknown) => thrown)
      expect(error).to.have.property('code', 'sign_in_state_invalid')
    }
    const view = await signIns.complete({ code: 'c', state: parameters['state'] ?? '' }, { userId: 'me' })
    expect(view).to.include({ state: 'completed', sign_in_id: id })
    expect(completed).to.deep.equal([view.credential_id])
  })

  it('fail when their tokens cannot be stored, and say so in the log', async () => {
    const { begin, ended, database, lines } = openSignIns()
    database.refuse = new Error('the disk is full')
    const { sign_in_id: id } = await begin(device)
    expect(await ended(id)).to.include({ state: 'failed', reason: 'unavailable' })
    expect(lines).to.deep.equal(['A sign-in with an account failed.'])
  })

  it('can be asked for for a while after their end', async () => {
    const { begin, ended, signIns, instant } = openSignIns()
    const { sign_in_id: id } = await begin(device)
    expect(await ended(id)).to.include({ state: 'completed' })
    await instant.wait(14 * 60_000, { signal })
    expect(signIns.get(id, 'me')).to.include({ state: 'completed' })
    await instant.wait(2 * 60_000, { signal })
    expect(() => signIns.get(id, 'me')).to.throw('There is no such sign-in.')
  })

  it('end together, and leave nothing that waits', async () => {
    const { begin, signIns, lines } = openSignIns({ still: true })
    const begun = [await begin(device), await begin(browser)]
    await signIns.close()
    for (const { sign_in_id: id } of begun) expect(signIns.get(id, 'me')).to.include({ state: 'cancelled' })
    expect(lines).to.deep.equal([])
  })
})
