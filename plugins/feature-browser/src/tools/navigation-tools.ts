import { Type } from '@agent-service/sdk'
import { signalWithin, sleep } from '@agent-service/sdk/async'
import { defineTool, type Tool } from '@agent-service/sdk/contracts/tool'
import { browserUseError } from '../common/errors.js'
import { limits } from '../common/limits.js'
import type { PageGuard } from '../network/page-guard.js'
import { callInFrame, type PageFrame } from '../pages/frames.js'
import { type MaskText, shownState } from '../pages/mask-text.js'
import { documentFunctions } from '../pages/page-script.js'
import type { SessionRegistry } from '../sessions/session-registry.js'
import type { BrowserCalls } from './common/browser-calls.js'
import { shown, siteScopes } from './common/parameters.js'
import { toolWords } from './tool-words.js'

/** Going somewhere: `browser_navigate`, `browser_back`, `browser_tabs`, `browser_wait_for`, `browser_close`. */
export const createNavigationTools = ({
  calls,
  guard,
  registry,
}: {
  readonly calls: BrowserCalls
  readonly guard: PageGuard
  readonly registry: Pick<SessionRegistry, 'close'>
}): readonly Tool[] => [
  defineTool({
    name: 'browser_navigate',
    title: 'Open a page in the browser',
    display: toolWords.browser_navigate,
    description:
      'Opens an address in your browser and returns a snapshot of the page. Elements that you can use have a ref. Your sign-ins are kept between chats.',
    parameters: Type.Object({
      url: Type.String({ minLength: 1, maxLength: 4_000, description: 'Absolute, with https:// or http://.' }),
      new_tab: Type.Optional(Type.Boolean({ description: 'Open it in a new tab. Default false.' })),
    }),
    effect: 'unsafe',
    scopes: ({ url }) => siteScopes(url.trim()),
    purpose: ({ url }) => `Open ${shown(url)} in the browser`,
    execute: ({ url: given, new_tab: newTab = false }, context) =>
      calls.run(context, { open: true, tool: 'navigate' }, async ({ session, signal }) => {
        const url = addressOf(given, guard)
        const tab = newTab || session.tabs().length === 0 ? await session.open(signal) : session.active()
        await tab.navigate(url, signal)
        return { said: `The page is open${tab.status() >= 400 ? `; the site answered with the status ${tab.status()}` : ''}.` }
      }),
  }),
  defineTool({
    name: 'browser_back',
    title: 'Go back in the browser',
    display: toolWords.browser_back,
    description: 'Goes back to the page before, in the active tab, and returns a snapshot.',
    parameters: Type.Object({}),
    effect: 'unsafe',
    approval: 'never',
    execute: (_, context) =>
      calls.run(context, { open: false, tool: 'back' }, async ({ session, signal }) => {
        if (!(await session.active().back(signal))) throw browserUseError.create({ text: 'There is no page before this one.' })
        return { said: 'Went back.' }
      }),
  }),
  defineTool({
    name: 'browser_tabs',
    title: 'Look at the tabs of the browser',
    display: toolWords.browser_tabs,
    description: 'Lists the open tabs, makes one of them the active one, or closes one. Tabs are numbered from 1.',
    parameters: Type.Object({
      action: Type.Union([Type.Literal('list'), Type.Literal('select'), Type.Literal('close')]),
      number: Type.Optional(Type.Integer({ minimum: 1, maximum: 100, description: 'Which tab to select or close.' })),
    }),
    effect: 'unsafe',
    approval: 'never',
    execute: ({ action, number }, context) =>
      calls.run(context, { open: false, tool: 'tabs' }, async ({ session, signal, mask }) => {
        const tab = number === undefined ? undefined : session.tabs()[number - 1]
        if (action !== 'list' && tab === undefined)
          throw browserUseError.create({ text: `There is no tab ${number ?? 'without a number'}.` })
        if (action === 'select' && tab !== undefined) session.activate(tab)
        if (action === 'close' && tab !== undefined) await tab.close()
        if (action !== 'list') await sleep(100, { signal })
        const lines = await Promise.all(
          session.tabs().map(async (each, index) => {
            const { url, title } = await shownState(await each.state(signal), mask)
            return `${index + 1}. ${title} (${url})`
          }),
        )
        return action === 'select' ? { said: `Tab ${number} is active.` } : { said: 'The open tabs:', page: lines.join('\n') || '(none)' }
      }),
  }),
  defineTool({
    name: 'browser_wait_for',
    title: 'Wait for the page',
    display: toolWords.browser_wait_for,
    description: 'Waits until the page shows a text, until it does not show it any more, or for some seconds; then returns a snapshot.',
    parameters: Type.Object({
      text: Type.Optional(Type.String({ minLength: 1, maxLength: 500, description: 'Wait until the page shows this text.' })),
      gone: Type.Optional(Type.String({ minLength: 1, maxLength: 500, description: 'Wait until the page no longer shows this text.' })),
      seconds: Type.Optional(Type.Number({ minimum: 0, maximum: limits.maxWaitMs / 1_000, description: 'The longest wait. Default 10.' })),
    }),
    effect: 'read',
    parallel: false,
    execute: ({ text, gone, seconds = 10 }, context) =>
      calls.run(context, { open: false, tool: 'wait_for' }, async ({ session, signal, mask }) => {
        const tab = session.active()
        const limited = signalWithin(seconds * 1_000, signal)
        const wanted = text ?? gone
        while (!limited.aborted) {
          if (wanted !== undefined) {
            const [frame] = await tab.frames(signal)
            const isShown = frame !== undefined && (await isTextShown(frame, wanted, { mask, signal }))
            if (isShown === (text !== undefined)) return { said: text === undefined ? 'The text is gone.' : 'The text is there.' }
          }
          await sleep(250, { signal: limited }).catch(() => signal.throwIfAborted())
        }
        return {
          said:
            wanted === undefined
              ? `Waited ${seconds} seconds.`
              : `After ${seconds} seconds the page still ${text === undefined ? 'shows' : 'does not show'} the text.`,
        }
      }),
  }),
  defineTool({
    name: 'browser_close',
    title: 'Close the browser',
    display: toolWords.browser_close,
    description: 'Closes all tabs of this chat. Sign-ins are kept. Call it when you do not need the browser any more.',
    parameters: Type.Object({}),
    effect: 'idempotent',
    approval: 'never',
    execute: (_, context) =>
      calls.run(context, { open: false, tool: 'close' }, async ({ session }) => {
        await registry.close((open) => open.session === session)
        return { said: 'The browser is closed.', page: '(no page)' }
      }),
  }),
]

/** What stands within a secret is not shown: its characters could be asked for one by one. */
async function isTextShown(
  frame: PageFrame,
  text: string,
  { mask, signal }: { readonly mask: MaskText; readonly signal: AbortSignal },
): Promise<boolean> {
  const places = await callInFrame<readonly string[]>(frame, documentFunctions.placesOf, [text, 10_000], signal)
  for (const place of places) if ((await mask(place)).includes(text)) return true
  return false
}

/** @throws `browser_use_invalid` for an address that no page may have. */
export function addressOf(given: string, guard: PageGuard): string {
  const text = given.trim()
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url === undefined || (url.protocol !== 'https:' && url.protocol !== 'http:'))
    throw browserUseError.create({ text: `“${text.slice(0, 200)}” is no address of a page. Use an absolute one with https://.` })
  if (url.username !== '' || url.password !== '')
    throw browserUseError.create({ text: 'The address has a user name or a password in it. Leave them out; use browser_fill to sign in.' })
  const reason = guard.refusalOf(url.href)
  if (reason !== undefined) throw browserUseError.create({ text: `${url.host} is closed to the browser: ${reason}.` })
  return url.href
}
