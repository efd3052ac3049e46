import { Type } from '@agent-service/sdk'
import { defineTool, type Tool } from '@agent-service/sdk/contracts/tool'
import { type ActionPage, click, hover, press, select } from '../pages/actions.js'
import type { FoundElement } from '../pages/element-refs.js'
import { callOnObject } from '../pages/frames.js'
import { pageFunctions } from '../pages/page-script.js'
import type { Tab } from '../pages/tab.js'
import type { BrowserCall, BrowserCalls } from './common/browser-calls.js'
import { onEveryPage, refSchema, shown } from './common/parameters.js'
import { toolWords } from './tool-words.js'

/** An element of the active page, ready for an action. */
export interface Target {
  readonly tab: Tab
  readonly page: ActionPage
  readonly element: FoundElement
}

/** @throws `browser_use_invalid` if the element is gone. */
export async function targetOf({ session, signal }: BrowserCall, ref: string): Promise<Target> {
  const tab = session.active()
  const frames = await tab.frames(signal)
  return { tab, page: { session: tab.session, frames, signal }, element: await tab.refs.find(ref, frames, signal) }
}

/** What a person does with mouse and keys: `browser_click`, `browser_select`, `browser_press`, `browser_hover`, `browser_dialog`. */
export const createInputTools = ({ calls }: { readonly calls: BrowserCalls }): readonly Tool[] => [
  defineTool({
    name: 'browser_click',
    title: 'Click in the browser',
    display: toolWords.browser_click,
    description: 'Clicks an element of the page and returns a snapshot.',
    parameters: Type.Object({
      ref: refSchema(),
      element: Type.String({ minLength: 1, maxLength: 200, description: 'What it is, in words, for the person: “the button Sign in”.' }),
      button: Type.Optional(
        Type.Union([Type.Literal('left'), Type.Literal('middle'), Type.Literal('right')], { description: 'Default left.' }),
      ),
      double: Type.Optional(Type.Boolean({ description: 'Click twice. Default false.' })),
    }),
    effect: 'unsafe',
    ...onEveryPage('Make every click'),
    purpose: ({ element }) => `Click ${shown(element)} in the browser`,
    execute: ({ ref, button = 'left', double = false }, context) =>
      calls.run(context, { open: false, tool: 'click' }, async (call) => {
        const { tab, page, element } = await targetOf(call, ref)
        await click(page, element, { button, clickCount: double ? 2 : 1 })
        await tab.settle(call.signal)
        return { said: 'Clicked.' }
      }),
  }),
  defineTool({
    name: 'browser_select',
    title: 'Choose from a list in the browser',
    display: toolWords.browser_select,
    description: 'Chooses one or more options of a list (a combobox or listbox of the page) by their labels or values.',
    parameters: Type.Object({
      ref: refSchema('The list: its ref in the latest snapshot.'),
      values: Type.Array(Type.String({ maxLength: 500 }), { minItems: 1, maxItems: 50, description: 'Labels or values of the options.' }),
    }),
    effect: 'unsafe',
    ...onEveryPage('Choose every option of lists'),
    purpose: ({ values }) => `Choose ${shown(values.join(', '))} from a list in the browser`,
    execute: ({ ref, values }, context) =>
      calls.run(context, { open: false, tool: 'select' }, async (call) => {
        const { tab, page, element } = await targetOf(call, ref)
        const missing = await select(page, element, values)
        if (missing !== undefined)
          // The labels are the page’s own words.
          return {
            said: 'Nothing was chosen: the list does not have all of these options.',
            page: `It has: ${missing.options.join(' | ').replaceAll(/\p{Cc}+/gu, ' ')}`,
            isError: true,
          }
        await tab.settle(call.signal)
        return { said: 'Chosen.' }
      }),
  }),
  defineTool({
    name: 'browser_press',
    title: 'Press a key in the browser',
    display: toolWords.browser_press,
    description:
      'Presses a key or several together, such as Enter, Escape, ArrowDown, a or Control+A, on what has the focus or on an element.',
    parameters: Type.Object({
      key: Type.String({ minLength: 1, maxLength: 40 }),
      ref: Type.Optional(refSchema('Give this element the focus before.')),
    }),
    effect: 'unsafe',
    ...onEveryPage('Press every key'),
    purpose: ({ key }) => `Press ${shown(key)} in the browser`,
    execute: ({ key, ref }, context) =>
      calls.run(context, { open: false, tool: 'press' }, async (call) => {
        const tab = call.session.active()
        if (ref !== undefined) {
          const { element } = await targetOf(call, ref)
          await callOnObject(element.frame.session, element.objectId, pageFunctions.focus, [], call.signal)
        }
        await press({ session: tab.session, frames: await tab.frames(call.signal), signal: call.signal }, key)
        await tab.settle(call.signal)
        return { said: `Pressed ${shown(key)}.` }
      }),
  }),
  defineTool({
    name: 'browser_hover',
    title: 'Move the mouse in the browser',
    display: toolWords.browser_hover,
    description: 'Moves the mouse onto an element, such as a menu that opens then, and returns a snapshot.',
    parameters: Type.Object({ ref: refSchema() }),
    effect: 'unsafe',
    approval: 'never',
    execute: ({ ref }, context) =>
      calls.run(context, { open: false, tool: 'hover' }, async (call) => {
        const { tab, page, element } = await targetOf(call, ref)
        await hover(page, element)
        await tab.settle(call.signal)
        return { said: 'The mouse is on the element.' }
      }),
  }),
  defineTool({
    name: 'browser_dialog',
    title: 'Answer the next dialog of the page',
    display: toolWords.browser_dialog,
    description:
      'Says how the next dialog of the page (confirm, prompt) is answered. Call it before the click that shows the dialog; without it questions are answered with no.',
    parameters: Type.Object({
      accept: Type.Boolean(),
      text: Type.Optional(Type.String({ maxLength: 2_000, description: 'What to enter, for a prompt.' })),
    }),
    effect: 'unsafe',
    ...onEveryPage('Answer every dialog'),
    purpose: ({ accept }) => `${accept ? 'Accept' : 'Dismiss'} the next dialog of the page`,
    execute: ({ accept, text }, context) =>
      calls.run(context, { open: false, tool: 'dialog' }, async ({ session }) => {
        session.answerNextDialog({ accept, ...(text === undefined ? {} : { promptText: text }) })
        return { said: `The next dialog will be ${accept ? 'accepted' : 'dismissed'}.`, page: '(unchanged)' }
      }),
  }),
]
