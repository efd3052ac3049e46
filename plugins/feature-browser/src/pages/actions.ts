import { browserUseError } from '../common/errors.js'
import type { ProtocolSession } from '../protocol/protocol-session.js'
import type { FoundElement } from './element-refs.js'
import { callInFrame, callOnObject, type PageFrame } from './frames.js'
import { readKey } from './keys.js'
import { documentFunctions, pageFunctions } from './page-script.js'

interface Point {
  readonly x: number
  readonly y: number
}
type Quad = readonly number[]

/** The page that an action happens on: its own session takes the mouse and the keys of all frames. */
export interface ActionPage {
  readonly session: ProtocolSession
  readonly frames: readonly PageFrame[]
  readonly signal: AbortSignal
}

/** Moves the mouse onto an element. @throws `browser_use_invalid` if it is not shown. */
export async function hover(page: ActionPage, element: FoundElement): Promise<Point> {
  const point = await pointOf(page, element)
  await page.session.send('Input.dispatchMouseEvent', { type: 'mouseMoved', ...point }, { signal: page.signal })
  return point
}

/** Clicks the middle of an element, as a person would. */
export async function click(
  page: ActionPage,
  element: FoundElement,
  { button = 'left', clickCount = 1 }: { readonly button?: 'left' | 'middle' | 'right'; readonly clickCount?: number } = {},
): Promise<void> {
  const point = await hover(page, element)
  for (let count = 1; count <= clickCount; count += 1)
    // What a click opens, a dialog or another page, may keep the browser from answering.
    for (const type of ['mousePressed', 'mouseReleased'])
      await page.session.send(
        'Input.dispatchMouseEvent',
        { type, ...point, button, clickCount: count },
        { signal: page.signal, limitMs: 10_000 },
      )
}

/** They send a form or move the focus, and change no field. */
const harmlessKeys: ReadonlySet<string> = new Set(['Enter', 'Tab', 'Escape'])

/**
 * Presses a key, or several together, on what has the focus. @throws `browser_use_invalid` for a key that could change a field
 * that was filled in from a credential: the page might say the rest, which would not be known as a secret.
 */
export async function press(page: ActionPage, text: string): Promise<void> {
  const { key, modifiers } = readKey(text)
  if (!harmlessKeys.has(key.key) && (await isFilledFocused(page)))
    throw browserUseError.create({
      text: 'The focus is on a field that was filled in from a credential, which keys do not change. Use Enter, Tab or Escape, or browser_fill.',
    })
  const down = key.text === undefined ? 'rawKeyDown' : 'keyDown'
  await page.session.send('Input.dispatchKeyEvent', { type: down, ...key, modifiers }, { signal: page.signal })
  const { text: _, ...released } = key
  await page.session.send('Input.dispatchKeyEvent', { type: 'keyUp', ...released, modifiers }, { signal: page.signal })
}

async function isFilledFocused({ frames: [main, ...others], signal }: ActionPage): Promise<boolean> {
  const focusIn = (frame: PageFrame): Promise<string> => callInFrame<string>(frame, documentFunctions.focused, [], signal)
  const found = main === undefined ? '' : await focusIn(main)
  if (found !== 'frame') return found === 'filled'
  for (const frame of others) if ((await focusIn(frame)) === 'filled') return true
  return false
}

/** Gives a field a text. With an origin, only a field in a document of that origin gets it. */
export async function fill(page: ActionPage, element: FoundElement, text: string, origin: string | null): Promise<void> {
  const problem = await callOnObject<string>(element.frame.session, element.objectId, pageFunctions.fill, [text, origin], page.signal)
  if (problem !== '') throw browserUseError.create({ text: fillProblems[problem] ?? 'The field could not be filled in.' })
}

const fillProblems: Readonly<Record<string, string>> = {
  'other-origin': 'The field belongs to a page of another origin than the one that was confirmed. Nothing was filled in.',
  'read-only': 'The field is disabled or can only be read.',
  'no-field': 'This element takes no text. Use a ref of a textbox, or browser_click for a checkbox or button.',
  'not-taken': 'The field did not take this text; it may want another form, such as 2026-12-31 for a date.',
}

/** Chooses options of a list; if it lacks one, none, and it says which it has. @throws `browser_use_invalid` if it is no list. */
export async function select(
  page: ActionPage,
  element: FoundElement,
  values: readonly string[],
): Promise<{ readonly options: readonly string[] } | undefined> {
  type Answer = { readonly chosen?: readonly string[]; readonly options?: readonly string[] } | null
  const answer = await callOnObject<Answer>(element.frame.session, element.objectId, pageFunctions.select, [values], page.signal)
  if (answer === null) throw browserUseError.create({ text: 'This element is no list of options. Click it, and click the option.' })
  return answer.chosen === undefined ? { options: answer.options ?? [] } : undefined
}

/** Hands a file to a field for files. */
export async function upload(
  page: ActionPage,
  element: FoundElement,
  { name, bytes }: { readonly name: string; readonly bytes: Uint8Array },
): Promise<void> {
  const parameters = [name, 'application/octet-stream', Buffer.from(bytes).toString('base64')]
  const problem = await callOnObject<string>(element.frame.session, element.objectId, pageFunctions.upload, parameters, page.signal)
  if (problem !== '') throw browserUseError.create({ text: 'This element takes no file. Use a ref of a file input.' })
}

/** The middle of an element in the window of the page. */
async function pointOf(page: ActionPage, { frame, objectId }: FoundElement): Promise<Point> {
  const { session } = frame
  const { signal } = page
  try {
    await session.send('DOM.scrollIntoViewIfNeeded', { objectId }, { signal })
    const { quads } = await session.send<{ readonly quads: readonly Quad[] }>('DOM.getContentQuads', { objectId }, { signal })
    const quad = quads.find((each) => areaOf(each) > 1)
    if (quad === undefined) throw new Error('The element has no area.')
    const offset = await offsetOf(page, frame)
    const middle = middleOf(quad)
    return { x: middle.x + offset.x, y: middle.y + offset.y }
  } catch (error) {
    signal.throwIfAborted()
    throw browserUseError.create(
      { text: 'The element is not shown, so that the mouse does not reach it. Scroll or open what hides it, and take a new snapshot.' },
      { cause: error },
    )
  }
}

/** Where a frame of another process stands in the window; one of the page's own process is counted already. */
async function offsetOf(page: ActionPage, frame: PageFrame): Promise<Point> {
  if (frame.session === page.session) return { x: 0, y: 0 }
  const rootId = page.frames.find(({ session }) => session === frame.session)?.id
  for (const parent of page.frames) {
    if (parent.session === frame.session) continue
    const owner = await parent.session
      .send<{ readonly backendNodeId: number }>('DOM.getFrameOwner', { frameId: rootId }, { signal: page.signal })
      .catch(() => undefined)
    if (owner === undefined) continue
    const { model } = await parent.session.send<{ readonly model: { readonly content: Quad } }>('DOM.getBoxModel', owner, {
      signal: page.signal,
    })
    const outer = await offsetOf(page, parent)
    return { x: (model.content[0] ?? 0) + outer.x, y: (model.content[1] ?? 0) + outer.y }
  }
  return { x: 0, y: 0 }
}

const middleOf = (quad: Quad): Point => ({
  x: [0, 2, 4, 6].reduce((sum, index) => sum + (quad[index] ?? 0), 0) / 4,
  y: [1, 3, 5, 7].reduce((sum, index) => sum + (quad[index] ?? 0), 0) / 4,
})

function areaOf(quad: Quad): number {
  let area = 0
  for (let index = 0; index < 8; index += 2) {
    const next = (index + 2) % 8
    area += ((quad[index] ?? 0) * (quad[next + 1] ?? 0) - (quad[next] ?? 0) * (quad[index + 1] ?? 0)) / 2
  }
  return Math.abs(area)
}
