import type { ProfileBrowser, TabOwner } from '../browsers/profile-browser.js'
import { browserUseError } from '../common/errors.js'
import { limits } from '../common/limits.js'
import { type Download, isDownload, madeDownload, refuseRequest, takeDownload } from '../pages/downloads.js'
import { createFilledSecrets, type FilledSecrets } from '../pages/filled-secrets.js'
import { callInFrame } from '../pages/frames.js'
import { documentFunctions } from '../pages/page-script.js'
import type { Tab } from '../pages/tab.js'
import type { PausedRequest } from '../protocol/messages.js'
import type { ProtocolSession } from '../protocol/protocol-session.js'
import { createReports, maxReport, type Reports } from './reports.js'

/** A wait for the next file that a page hands out. */
interface Expectation {
  /** Any document of the page counts, not only one that is a file. */
  readonly any: boolean
  readonly tab: Tab
  resolve(download: Download): void
  reject(error: unknown): void
}

/** The pages of one chat, and what they say to it. */
export interface BrowserSession {
  readonly browser: ProfileBrowser
  readonly reports: Reports
  /** What was filled in from credentials. */
  readonly filled: FilledSecrets
  tabs(): readonly Tab[]
  /** The page that actions happen on. @throws `browser_use_invalid` if none is open. */
  active(): Tab
  /** Opens another page, which is then the active one. @throws `browser_use_invalid` for one too many. */
  open(signal: AbortSignal): Promise<Tab>
  activate(tab: Tab): void
  /** What the next dialog is answered with; otherwise a question is answered with no. */
  answerNextDialog(answer: { readonly accept: boolean; readonly promptText?: string } | undefined): void
  /** Waits for the next file of a page. Call it before what makes the page hand it out. */
  expectDownload(tab: Tab, options: { readonly any: boolean; readonly signal: AbortSignal }): Promise<Download>
  /** Closes its pages. */
  close(): Promise<void>
}

export function createBrowserSession(browser: ProfileBrowser): BrowserSession {
  const reports = createReports()
  const tabs: Tab[] = []
  let active: Tab | undefined
  let nextAnswer: { readonly accept: boolean; readonly promptText?: string } | undefined
  let expected: Expectation | undefined

  const owner: TabOwner = {
    opened(tab) {
      if (tabs.includes(tab)) return true
      if (tabs.length >= limits.maxTabs) {
        reports.add(`The page wanted to open another tab; ${limits.maxTabs} are the most.`)
        return false
      }
      tabs.push(tab)
      active = tab
      reports.add('The page opened a new tab, which is now the active one.')
      return true
    },
    closed(tab, reason) {
      const index = tabs.indexOf(tab)
      if (index < 0) return
      tabs.splice(index, 1)
      if (active === tab) active = tabs.at(-1)
      if (expected?.tab === tab) expected.reject(browserUseError.create({ text: 'The page was closed before it handed out a file.' }))
      reports.add(`A tab is gone: ${reason}.`)
    },
    refused: (url, reason) => reports.add(`Refused (${reason}): ${url}`),
    dialog({ type, message }) {
      const answer = nextAnswer ?? { accept: type === 'alert' || type === 'beforeunload' }
      nextAnswer = undefined
      reports.add(
        `The page showed a dialog (${type}), which was ${answer.accept ? 'accepted' : 'dismissed'}: ${JSON.stringify(message.slice(0, maxReport))}`,
      )
      return answer
    },
    fileChooser: () => reports.add('The page asks for a file. Use browser_upload with the ref of its file input.'),
    async takeDocument(tab, paused, session) {
      const isExpected =
        expected?.tab === tab && (isDownload(paused) || (expected.any && paused.frameId === tab.id && isWholeDocument(paused)))
      if (!isExpected && !isDownload(paused)) return false
      if (!isExpected) {
        reports.add(`The page hands out a file. To have it, repeat what you did with browser_download: ${paused.request.url}`)
        await refuseRequest(session, paused.requestId)
        return true
      }
      await hand(paused, session)
      return true
    },
    downloadBegan(tab, download) {
      if (expected?.tab === tab) void handMade(expected, tab, download)
    },
  }
  const hand = async (paused: PausedRequest, session: ProtocolSession): Promise<void> => {
    const waiting = expected
    expected = undefined
    await takeDownload(paused, session).then(waiting?.resolve, waiting?.reject)
  }
  return {
    browser,
    reports,
    filled: createFilledSecrets(),
    tabs: () => [...tabs],
    active() {
      if (active === undefined) throw browserUseError.create({ text: 'No page is open. Open one with browser_navigate.' })
      return active
    },
    async open(signal) {
      if (tabs.length >= limits.maxTabs)
        throw browserUseError.create({ text: `At most ${limits.maxTabs} tabs are open at once. Close one with browser_tabs.` })
      const tab = await browser.openTab(owner, signal)
      tabs.push(tab)
      active = tab
      return tab
    },
    activate(tab) {
      active = tab
    },
    answerNextDialog(answer) {
      nextAnswer = answer
    },
    expectDownload: (tab, { any, signal }) =>
      new Promise((resolve, reject) => {
        const end = (): void => {
          if (expected === expectation) expected = undefined
          reject(signal.reason)
        }
        const expectation: Expectation = { any, tab, resolve, reject }
        expected = expectation
        if (signal.aborted) end()
        else signal.addEventListener('abort', end, { once: true })
      }),
    async close() {
      await Promise.all(tabs.splice(0).map((tab) => tab.close()))
      active = undefined
    },
  }
}

const isWholeDocument = ({ responseStatusCode: status = 0 }: PausedRequest): boolean => status >= 200 && status < 300

/** A file that the page has made itself is read in the page; one of the web was held already. */
async function handMade(
  expected: Expectation,
  tab: Tab,
  { url, name, frameId }: { readonly url: string; readonly name: string; readonly frameId: string },
): Promise<void> {
  const signal = AbortSignal.timeout(limits.commandMs)
  try {
    const frame = (await tab.frames(signal)).find(({ id }) => id === frameId)
    if (frame === undefined || !/^(?:blob|data):/.test(url)) return
    const parameters = [url, limits.maxUploadBytes * 2]
    const read = await callInFrame<{ readonly size: number; readonly base64?: string }>(
      frame,
      documentFunctions.readBlob,
      parameters,
      signal,
    )
    if (read.base64 === undefined) throw browserUseError.create({ text: `The file of the page is too large: ${read.size} bytes.` })
    expected.resolve(madeDownload(name, url, Buffer.from(read.base64, 'base64')))
  } catch (error) {
    expected.reject(error)
  }
}
