import { viewport } from '../common/limits.js'
import { type FilledSecrets, originOf } from './filled-secrets.js'
import { callInFrame, type PageFrame } from './frames.js'
import { documentFunctions } from './page-script.js'
import type { Tab } from './tab.js'

/** The highest picture that is taken of a page. */
const maxHeight = 6_000

/**
 * Takes a picture, as JPEG in base64. What a person must not see is hidden meanwhile in every frame; if
 * that is not possible, no picture is taken.
 */
export async function takeScreenshot(
  tab: Tab,
  options: {
    readonly fullPage: boolean
    readonly quality: number
    /** What was filled in at an origin. */
    readonly filled: FilledSecrets
    readonly signal: AbortSignal
  },
): Promise<string> {
  const { fullPage, quality, filled, signal } = options
  const frames = await tab.frames(signal)
  try {
    for (const frame of frames) await hideIn(frame, tab, { filled, signal })
    const clip = fullPage ? await wholePage(tab, signal) : {}
    const { data } = await tab.session.send<{ readonly data: string }>(
      'Page.captureScreenshot',
      { format: 'jpeg', quality, optimizeForSpeed: true, ...clip },
      { signal },
    )
    return data
  } finally {
    // Also after an abort, when the signal would end it: the person’s next look must not be at hidden fields.
    const rest = AbortSignal.timeout(5_000)
    // A document that is gone has nothing hidden any more.
    await Promise.all(frames.map((frame) => callInFrame(frame, documentFunctions.showSecrets, [], rest).catch(() => undefined)))
  }
}

async function hideIn(
  frame: PageFrame,
  tab: Tab,
  { filled, signal }: { readonly filled: FilledSecrets; readonly signal: AbortSignal },
): Promise<void> {
  try {
    const origin = originOf(frame.url)
    // No other origin’s process gets them; the document checks its origin once more.
    await callInFrame(frame, documentFunctions.hideSecrets, [origin, filled.at(origin)], signal)
  } catch (error) {
    signal.throwIfAborted()
    const isThere = (await tab.frames(signal)).some(({ id, loaderId }) => id === frame.id && loaderId === frame.loaderId)
    if (isThere) throw error
  }
}

async function wholePage(tab: Tab, signal: AbortSignal): Promise<object> {
  type Metrics = { readonly cssContentSize: { readonly width: number; readonly height: number } }
  const { cssContentSize: size } = await tab.session.send<Metrics>('Page.getLayoutMetrics', {}, { signal })
  const [width, height] = [Math.min(Math.ceil(size.width), viewport.width * 2), Math.min(Math.ceil(size.height), maxHeight)]
  return { captureBeyondViewport: true, clip: { x: 0, y: 0, width: Math.max(1, width), height: Math.max(1, height), scale: 1 } }
}
