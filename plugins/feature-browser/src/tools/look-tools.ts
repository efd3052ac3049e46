import { Type } from '@agent-service/sdk'
import { defineTool, type Tool } from '@agent-service/sdk/contracts/tool'
import { limits } from '../common/limits.js'
import { callInFrame, callOnObject } from '../pages/frames.js'
import { shownState } from '../pages/mask-text.js'
import { documentFunctions, pageFunctions } from '../pages/page-script.js'
import { takeScreenshot } from '../pages/screenshot.js'
import type { BrowserCalls } from './common/browser-calls.js'
import { refSchema } from './common/parameters.js'
import { toolWords } from './tool-words.js'

/** Looking at a page: `browser_snapshot`, `browser_screenshot`, `browser_scroll`. */
export const createLookTools = ({ calls }: { readonly calls: BrowserCalls }): readonly Tool[] => [
  defineTool({
    name: 'browser_snapshot',
    title: 'Read the page',
    display: toolWords.browser_snapshot,
    description:
      'Reads the active page as text: headings, texts, fields with their values, links and buttons. Elements that you can use have a ref. Prefer it to a screenshot.',
    parameters: Type.Object({
      offset: Type.Optional(
        Type.Integer({ minimum: 0, maximum: limits.maxSnapshotKept, description: 'Read on from this character. Default 0.' }),
      ),
    }),
    effect: 'read',
    parallel: false,
    execute: ({ offset = 0 }, context) =>
      calls.run(context, { open: false, tool: 'snapshot' }, async ({ session }) => {
        session.active()
        return { said: 'The page as it is now:', offset }
      }),
  }),
  defineTool({
    name: 'browser_screenshot',
    title: 'Take a picture of the page',
    display: toolWords.browser_screenshot,
    description:
      'Takes a picture of the active page. Passwords and what came from credentials are hidden. To read or use the page, take browser_snapshot.',
    parameters: Type.Object({
      full_page: Type.Optional(Type.Boolean({ description: 'The whole page instead of what the window shows. Default false.' })),
    }),
    effect: 'read',
    parallel: false,
    execute: ({ full_page: fullPage = false }, context) =>
      calls.run(context, { open: false, tool: 'screenshot' }, async ({ session, signal, mask }) => {
        const tab = session.active()
        const data = await takeScreenshot(tab, { fullPage, quality: 70, filled: session.filled, signal })
        const { url, title } = await shownState(await tab.state(signal), mask)
        return {
          said: 'The picture shows an untrusted page.',
          page: `Address: ${url}\nTitle: ${title}`,
          image: { media_type: 'image/jpeg', data },
        }
      }),
  }),
  defineTool({
    name: 'browser_scroll',
    title: 'Scroll the page',
    display: toolWords.browser_scroll,
    description: 'Scrolls the page, or an element of it, by most of a window, and returns a snapshot.',
    parameters: Type.Object({
      direction: Type.Union([Type.Literal('down'), Type.Literal('up'), Type.Literal('left'), Type.Literal('right')]),
      ref: Type.Optional(refSchema('Scroll inside of this element. Default: the page.')),
    }),
    effect: 'read',
    parallel: false,
    execute: ({ direction, ref }, context) =>
      calls.run(context, { open: false, tool: 'scroll' }, async ({ session, signal }) => {
        const tab = session.active()
        const frames = await tab.frames(signal)
        const by = { down: [0, 700], up: [0, -700], left: [-900, 0], right: [900, 0] }[direction]
        const [main] = frames
        if (ref !== undefined) {
          const { frame, objectId } = await tab.refs.find(ref, frames, signal)
          await callOnObject(frame.session, objectId, pageFunctions.scrollBy, by, signal)
        } else if (main !== undefined) await callInFrame(main, documentFunctions.scrollBy, by, signal)
        await tab.settle(signal)
        return { said: `Scrolled ${direction}.` }
      }),
  }),
]
