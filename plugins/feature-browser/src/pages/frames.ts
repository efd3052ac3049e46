import { limits } from '../common/limits.js'
import type { ProtocolSession } from '../protocol/protocol-session.js'
import { worldName } from './page-script.js'

/** A frame of a page, in the session of the process that it is in. */
export interface PageFrame {
  readonly id: string
  readonly session: ProtocolSession
  /** The document in it; another one has another. */
  readonly loaderId: string
  readonly url: string
  readonly parentId: string | undefined
}

interface FrameTree {
  readonly frame: {
    readonly id: string
    readonly loaderId: string
    readonly url: string
    readonly urlFragment?: string
    readonly parentId?: string
  }
  readonly childFrames?: readonly FrameTree[]
}

/** All frames of a page, those of other processes too; the first one is the page's own. */
export async function readFrames(
  main: ProtocolSession,
  children: Iterable<ProtocolSession>,
  signal: AbortSignal,
): Promise<readonly PageFrame[]> {
  const trees = [await readTree(main, signal)]
  for (const session of [...children].slice(0, limits.maxFrames)) {
    if (session.ended.aborted) continue
    // A frame may go while the page is looked at.
    const found = await readTree(session, signal).catch(() => {
      signal.throwIfAborted()
      return []
    })
    trees.push(found)
  }
  return trees.flat().slice(0, limits.maxFrames)
}

async function readTree(session: ProtocolSession, signal: AbortSignal): Promise<readonly PageFrame[]> {
  const { frameTree } = await session.send<{ readonly frameTree: FrameTree }>('Page.getFrameTree', {}, { signal })
  const frames: PageFrame[] = []
  const add = ({ frame, childFrames = [] }: FrameTree): void => {
    if (frames.length >= limits.maxFrames) return
    const url = `${frame.url}${frame.urlFragment ?? ''}`
    frames.push({ id: frame.id, session, loaderId: frame.loaderId, url, parentId: frame.parentId })
    for (const child of childFrames) add(child)
  }
  add(frameTree)
  return frames
}

/** The world of this plugin in a frame: the same one for the same document. */
export async function worldOf({ id, session }: PageFrame, signal: AbortSignal): Promise<number> {
  const { executionContextId } = await session.send<{ readonly executionContextId: number }>(
    'Page.createIsolatedWorld',
    { frameId: id, worldName },
    { signal },
  )
  return executionContextId
}

interface CallAnswer {
  readonly result: { readonly value?: unknown }
  readonly exceptionDetails?: { readonly text?: string }
}

/** Calls a function of `documentFunctions` in a frame. */
export async function callInFrame<Result>(
  frame: PageFrame,
  source: string,
  parameters: readonly unknown[],
  signal: AbortSignal,
): Promise<Result> {
  const executionContextId = await worldOf(frame, signal)
  return await call<Result>(frame.session, { executionContextId }, source, parameters, signal)
}

/** Calls a function on an element of the world of this plugin. */
export const callOnObject = <Result>(
  session: ProtocolSession,
  objectId: string,
  source: string,
  parameters: readonly unknown[],
  signal: AbortSignal,
): Promise<Result> => call<Result>(session, { objectId }, source, parameters, signal)

async function call<Result>(
  session: ProtocolSession,
  place: { readonly objectId: string } | { readonly executionContextId: number },
  source: string,
  parameters: readonly unknown[],
  signal: AbortSignal,
): Promise<Result> {
  const answer = await session.send<CallAnswer>(
    'Runtime.callFunctionOn',
    { ...place, functionDeclaration: source, arguments: parameters.map((value) => ({ value })), returnByValue: true, awaitPromise: true },
    { signal },
  )
  if (answer.exceptionDetails !== undefined) throw new Error('A function in the page failed.')
  return answer.result.value as Result
}
