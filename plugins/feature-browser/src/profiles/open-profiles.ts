import type { Logger } from '@agent-service/sdk'
import { abortable, createSingleFlight } from '@agent-service/sdk/async'
import type { TakePlace } from '@agent-service/sdk/egress-proxy'
import type { BrowserPool, OpenRequest } from '../browsers/browser-pool.js'
import type { ProfileBrowser, TabOwner } from '../browsers/profile-browser.js'
import { browserLostError } from '../common/errors.js'
import { readCookies, writeCookies } from './cookies.js'
import { type ProfileOwner, profileFolder, profileId, type StoredProfile, type StoredProfiles } from './stored-profiles.js'

/** A use of a profile: its browser lives as long as someone uses it. */
export interface ProfileUse {
  readonly browser: ProfileBrowser
  /** Keeps the cookies as they are now. */
  save(): Promise<void>
  /** The last one closes the browser, and keeps its cookies first. */
  release(): Promise<void>
}

/** The profiles that are open. */
export interface OpenProfiles {
  /**
   * While several use a profile, its browser connects only where all of them may: it does not say
   * for which of them. @throws `browser_unavailable`, `browser_lost`, the reason of the signal.
   */
  use(owner: ProfileOwner & { readonly allows: OpenRequest['allows'] }, signal: AbortSignal): Promise<ProfileUse>
  /**
   * Ends the browsers of a user, or of one agent, without keeping their cookies; those too that are being opened or closed.
   * Resolves once nothing of them is kept any more.
   */
  end(userId: string, agentId: string | undefined, signal: AbortSignal): Promise<void>
  /** Forgets a profile: its cookies and everything that the browser service keeps of it. It was ended before. */
  forget(profile: StoredProfile, signal: AbortSignal): Promise<void>
}

/** A profile from the beginning of its opening to the end of its last work. */
interface Holding {
  readonly owner: ProfileOwner
  /** Nothing of it is to be kept. */
  isForgotten: boolean
  browser: ProfileBrowser | undefined
  /** Settles once what may keep something of it is done. Never rejects. */
  work: Promise<unknown>
}

interface Opened {
  readonly browser: ProfileBrowser
  readonly keptBy: 'service' | 'here'
  readonly holding: Holding
  /** What each of its uses may connect to; before the first one, what that is to be. */
  readonly rules: Set<OpenRequest['allows']>
  readonly opening: OpenRequest['allows']
}

export function createOpenProfiles(dependencies: {
  readonly pool: BrowserPool
  readonly stored: StoredProfiles
  readonly takePlaceOf: (owner: string) => TakePlace
  readonly log: Logger
  /** Ends what is under way when the plugin stops. */
  readonly signal: AbortSignal
}): OpenProfiles {
  const { pool, stored, takePlaceOf, log } = dependencies
  const open = new Map<string, Opened>()
  const flights = createSingleFlight<string, Opened>()
  const holdings = new Set<Holding>()
  const during = <Result>(holding: Holding, work: Promise<Result>): Promise<Result> => {
    holding.work = Promise.allSettled([holding.work, work]).then(() => undefined)
    return work
  }
  const leave = (holding: Holding): void => void holding.work.then(() => holdings.delete(holding))

  const begin = async (owner: ProfileOwner & { readonly allows: OpenRequest['allows'] }): Promise<Opened> => {
    const id = profileId(owner)
    const known = open.get(id)
    if (known !== undefined && !known.browser.ended.aborted) return known
    const holding: Holding = { owner, isForgotten: false, browser: undefined, work: Promise.resolve() }
    holdings.add(holding)
    try {
      return await during(holding, openHeld(owner, holding))
    } catch (error) {
      leave(holding)
      throw error
    }
  }
  const openHeld = async (owner: ProfileOwner & { readonly allows: OpenRequest['allows'] }, holding: Holding): Promise<Opened> => {
    const id = profileId(owner)
    const rules: Opened['rules'] = new Set([owner.allows])
    const allows: OpenRequest['allows'] = async (destination, signal) => {
      for (const rule of rules) if (!(await rule(destination, signal))) return false
      return rules.size > 0
    }
    const request = { profile: profileFolder(owner), takePlace: takePlaceOf(owner.userId), allows }
    const browser = await pool.open(request, dependencies.signal)
    holding.browser = browser
    try {
      failIfForgotten(holding)
      const keptBy = browser.kind === 'service' ? 'service' : 'here'
      if (keptBy === 'here') await writeCookies(browser, await stored.cookies(owner))
      else await stored.save(owner, { by: 'service' })
      failIfForgotten(holding)
      const opened: Opened = { browser, keptBy, holding, rules, opening: owner.allows }
      open.set(id, opened)
      const ended = (): void => {
        if (open.get(id) === opened) open.delete(id)
        leave(holding)
      }
      browser.ended.addEventListener('abort', ended, { once: true })
      return opened
    } catch (error) {
      await browser.close()
      throw error
    }
  }
  return {
    async use(owner, signal) {
      const opened = await flights.run(profileId(owner), () => begin(owner), { signal })
      const rule: OpenRequest['allows'] = (destination, asking) => owner.allows(destination, asking)
      opened.rules.add(rule)
      opened.rules.delete(opened.opening)
      let isHeld = true
      const keep = async (): Promise<void> => {
        if (opened.keptBy === 'service' || opened.browser.ended.aborted || opened.holding.isForgotten) return
        const cookies = await readCookies(opened.browser)
        if (!opened.holding.isForgotten) await stored.save(owner, { by: 'here', cookies })
      }
      const save = (): Promise<void> => during(opened.holding, keep())
      return {
        browser: opened.browser,
        save,
        async release() {
          if (!isHeld) return
          isHeld = false
          const isLast = (): boolean => opened.rules.size === 1
          if (isLast()) await save().catch((error: unknown) => log.warn('The cookies of a browser profile could not be kept.', { error }))
          // Another use may have begun meanwhile.
          if (isLast()) {
            if (open.get(profileId(owner)) === opened) open.delete(profileId(owner))
            await opened.browser.close()
          }
          opened.rules.delete(rule)
        },
      }
    },
    async end(userId, agentId, signal) {
      const found = [...holdings].filter(({ owner }) => owner.userId === userId && (agentId === undefined || owner.agentId === agentId))
      for (const holding of found) holding.isForgotten = true
      for (const holding of found) {
        await abortable(holding.work, signal)
        await holding.browser?.close()
      }
    },
    async forget(profile, signal) {
      if (profile.kept_by === 'service') await clearAtService(pool, profile, signal)
      await stored.remove(profile.id)
    },
  }
}

function failIfForgotten({ isForgotten }: Holding): void {
  if (isForgotten) throw browserLostError.create({ reason: 'its profile was forgotten' })
}

/** Opens the profile once more, and has the browser delete all of its data. */
async function clearAtService(pool: BrowserPool, { folder }: StoredProfile, signal: AbortSignal): Promise<void> {
  const browser = await pool.open({ profile: folder, takePlace: () => undefined, allows: async () => false }, signal)
  try {
    if (browser.kind !== 'service') return
    const tab = await browser.openTab(withoutOwner, signal)
    await tab.session.send('Network.clearBrowserCookies', {}, { signal })
    await tab.session.send('Network.clearBrowserCache', {}, { signal })
    await tab.session.send('Storage.clearDataForOrigin', { origin: '*', storageTypes: 'all' }, { signal })
  } finally {
    await browser.close()
  }
}

/** The owner of a page that only clears data. */
const withoutOwner: TabOwner = {
  opened: () => false,
  closed: () => undefined,
  refused: () => undefined,
  dialog: () => ({ accept: false }),
  fileChooser: () => undefined,
  takeDocument: async () => false,
  downloadBegan: () => undefined,
}
