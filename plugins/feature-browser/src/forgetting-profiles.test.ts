import { expect } from 'chai'
import type { BrowserPool, OpenRequest } from './browsers/browser-pool.js'
import type { ProfileBrowser } from './browsers/profile-browser.js'
import { browserCommandError, browserLostError, browserSlowError } from './common/errors.js'
import { createEndings } from './compose/endings.js'
import { createOpenProfiles } from './profiles/open-profiles.js'
import type { ProfileOwner, StoredProfile, StoredProfiles } from './profiles/stored-profiles.js'
import { createSessionRoutes } from './routes/session-routes.js'

const ada = { userId: 'user-1', userHandle: 'ada', agentId: 'agent-1', allows: async () => true }
const log = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined } as never

function createGate(): { readonly passed: Promise<void>; open(): void } {
  let open = (): void => undefined
  const passed = new Promise<void>((resolve) => {
    open = resolve
  })
  return { passed, open: () => open() }
}

/** Profiles in memory, and a browser whose cookies come when the test says so. */
function openParts() {
  const kept = new Map<string, StoredProfile>()
  const idOf = ({ userId, agentId }: ProfileOwner) => `${userId}.${agentId}`
  const stored: StoredProfiles = {
    cookies: async () => [],
    save: async (owner, { by }) => {
      const ids = { id: idOf(owner), user_id: owner.userId, agent_id: owner.agentId }
      kept.set(ids.id, { ...ids, folder: 'ada', kept_by: by, cookies: null, cookie_count: 0, updated_at: '' })
    },
    list: async (userId) => [...kept.values()].filter(({ user_id }) => user_id === userId),
    remove: async (id) => void kept.delete(id),
  }
  const asked = createGate()
  const answer = createGate()
  const opening = createGate()
  let isHeld = false
  let asksFor: OpenRequest['allows'] = () => Promise.reject(new Error('No browser was opened.'))
  const pool = {
    async open(request: OpenRequest) {
      asksFor = request.allows
      if (isHeld) await opening.passed
      const ended = new AbortController()
      return {
        kind: 'devtools',
        context: { named: {} },
        ended: ended.signal,
        browser: {
          async send(method: string) {
            if (method !== 'Storage.getCookies') return {}
            asked.open()
            await answer.passed
            return {
              cookies: [{ name: 'member', value: 'yes', domain: 'site.test', path: '/', secure: true, httpOnly: true, expires: -1 }],
            }
          },
        },
        close: async () => ended.abort(),
      } as unknown as ProfileBrowser & { readonly kind: 'devtools' }
    },
  } as unknown as BrowserPool
  const profiles = createOpenProfiles({ pool, stored, takePlaceOf: () => () => undefined, log, signal: new AbortController().signal })
  const registry = { close: async () => 0 } as never
  const { forget } = createEndings({ registry, profiles, stored })
  return {
    profiles,
    kept,
    /** Whether the browser may connect there. */
    allows: (host: string) => asksFor({ host, port: 443 }, new AbortController().signal),
    asked: asked.passed,
    answer: () => answer.open(),
    holdOpening: () => {
      isHeld = true
    },
    letOpen: () => opening.open(),
    forget: () => forget('user-1', undefined, new AbortController().signal),
  }
}

describe('a profile that several chats use', () => {
  it('connects only where all of them may, for as long as each uses it', async () => {
    const parts = openParts()
    parts.answer()
    const { signal } = new AbortController()
    const own = await parts.profiles.use(ada, signal)
    expect(await parts.allows('closed.example')).to.equal(true)
    const allows = async ({ host }: { readonly host: string }) => host !== 'closed.example'
    const forOther = await parts.profiles.use({ ...ada, allows }, signal)
    expect([await parts.allows('closed.example'), await parts.allows('open.example')]).to.deep.equal([false, true])
    await forOther.release()
    await forOther.release()
    expect(await parts.allows('closed.example')).to.equal(true)
    await own.release()
  })

  it('keeps the rules of the last use until its browser is closed', async () => {
    const parts = openParts()
    const { signal } = new AbortController()
    const own = await parts.profiles.use(ada, signal)
    const allows = async ({ host }: { readonly host: string }) => host !== 'closed.example'
    const forOther = await parts.profiles.use({ ...ada, allows }, signal)
    await own.release()
    const released = forOther.release()
    await parts.asked
    expect([await parts.allows('closed.example'), await parts.allows('open.example')]).to.deep.equal([false, true])
    parts.answer()
    await released
    expect(await parts.allows('open.example')).to.equal(false)
  })

  it('stays open for a use that begins while the last one ends', async () => {
    const parts = openParts()
    const { signal } = new AbortController()
    const first = await parts.profiles.use(ada, signal)
    const released = first.release()
    await parts.asked
    const next = await parts.profiles.use(ada, signal)
    parts.answer()
    await released
    expect([next.browser.ended.aborted, await parts.allows('open.example')]).to.deep.equal([false, true])
    await next.release()
    expect(next.browser.ended.aborted).to.equal(true)
  })
})

describe('forgetting a profile', () => {
  it('is not undone by a session that was being closed meanwhile', async () => {
    const parts = openParts()
    const use = await parts.profiles.use(ada, new AbortController().signal)
    const released = use.release()
    await parts.asked
    const forgotten = parts.forget()
    parts.answer()
    await Promise.all([released, forgotten])
    expect([...parts.kept.keys()]).to.deep.equal([])
  })

  it('is not undone by cookies that were being kept meanwhile, or later by the same session', async () => {
    const parts = openParts()
    const use = await parts.profiles.use(ada, new AbortController().signal)
    const saved = use.save()
    await parts.asked
    const forgotten = parts.forget()
    parts.answer()
    await Promise.all([saved, forgotten])
    await use.release()
    expect([use.browser.ended.aborted, [...parts.kept.keys()]]).to.deep.equal([true, []])
  })

  it('ends a browser that was being opened meanwhile', async () => {
    const parts = openParts()
    parts.holdOpening()
    const opened = parts.profiles.use(ada, new AbortController().signal).catch((error: unknown) => error)
    const forgotten = parts.forget()
    parts.letOpen()
    parts.answer()
    const [outcome] = await Promise.all([opened, forgotten])
    expect(outcome).to.have.property('code', 'browser_lost')
    expect([...parts.kept.keys()]).to.deep.equal([])
  })

  it('leaves other agents and users alone', async () => {
    const parts = openParts()
    parts.answer()
    const use = await parts.profiles.use({ ...ada, userId: 'user-2' }, new AbortController().signal)
    await parts.forget()
    expect(use.browser.ended.aborted).to.equal(false)
    await use.release()
    expect([...parts.kept.keys()]).to.deep.equal(['user-2.agent-1'])
  })

  it('answers what the browser may fail with as it is: the route declares it', () => {
    const routes = createSessionRoutes({} as unknown as Parameters<typeof createSessionRoutes>[0])
    const { errors } = routes.find(({ operationId }) => operationId === 'forgetBrowserProfile') ?? {}
    expect(errors).to.include.members([browserLostError, browserCommandError, browserSlowError])
  })
})
