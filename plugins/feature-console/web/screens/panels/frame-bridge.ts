import type { PanelAppearance } from '@agent-service/sdk/contracts/console-panel'
import { errorText, isProblem } from '@agent-service/sdk/web'
import { createTokenBucket, openFramePort } from '@agent-service/sdk/web/host'
import { callOwnRoute, type PanelMethod } from './own-routes.js'
import type { Panel } from './panel.js'

/** What a frame reports about itself. */
export interface FrameEvents {
  readonly onReady: () => void
  readonly onHeight: (pixels: number) => void
  /** `final`: the panel cannot go on. */
  readonly onFailed: (message: string, final: boolean) => void
  /** It broke a rule of the bridge; nothing more is taken from it. */
  readonly onStopped: () => void
}

export interface FrameBridge {
  sendAppearance(appearance: PanelAppearance): void
  close(): void
}

/** As in the bridge of the frame; a longer text cannot come from there. */
const maxMessageLength = 262_144
const maxCalls = 8
const methods: ReadonlySet<unknown> = new Set(['GET', 'POST', 'PUT', 'PATCH', 'DELETE'])

/** The console's end of a panel's port. Calls go to routes of the panel's plugin alone; what breaks a rule ends the frame. */
export function openFrameBridge(port: MessagePort, panel: Panel, events: FrameEvents): FrameBridge {
  const controller = new AbortController()
  const calls = createTokenBucket({ size: 20, perSecond: 10 })
  let open = 0

  const answer = async (call: FrameCall): Promise<void> => {
    if (open >= maxCalls || !calls.take()) {
      send({
        kind: 'refused',
        id: call.id,
        code: 'too_many_calls',
        status: 0,
        message: `At most ${maxCalls} calls at a time and 10 a second.`,
      })
      return
    }
    open += 1
    try {
      const { method, path, query, body } = call
      const json = await callOwnRoute(panel, method, path, { ...(query && { query }), body, signal: controller.signal })
      send({ kind: 'answer', id: call.id, json })
    } catch (error) {
      const { code, status } = isProblem(error) ? error : { code: 'failed', status: 0 }
      send({ kind: 'refused', id: call.id, code, status, message: errorText(error) })
    } finally {
      open -= 1
    }
  }
  const { send, close } = openFramePort<FrameMessage>(port, {
    maxLength: maxMessageLength,
    size: 200,
    perSecond: 100,
    read: readMessage,
    onMessage(message) {
      if (message.kind === 'call') void answer(message)
      else if (message.kind === 'size') events.onHeight(message.height)
      else if (message.kind === 'ready') events.onReady()
      else events.onFailed(message.message, message.final)
    },
    onBroken() {
      controller.abort()
      events.onStopped()
    },
  })
  return {
    sendAppearance: (appearance) => send({ kind: 'appearance', appearance }),
    close() {
      close()
      controller.abort()
    },
  }
}

interface FrameCall {
  readonly kind: 'call'
  readonly id: number
  readonly method: PanelMethod
  readonly path: string
  readonly query: Readonly<Record<string, string | number | boolean>> | undefined
  readonly body: unknown
}

type FrameMessage =
  | FrameCall
  | { readonly kind: 'ready' }
  | { readonly kind: 'size'; readonly height: number }
  | { readonly kind: 'failed'; readonly message: string; readonly final: boolean }

function readMessage(value: Readonly<Record<string, unknown>>): FrameMessage | undefined {
  const { kind, id, method, path, query, body, height, message, final } = value
  switch (kind) {
    case 'ready':
      return { kind }
    case 'size':
      return typeof height === 'number' && Number.isFinite(height) && height >= 0 ? { kind, height } : undefined
    case 'failed':
      return typeof message === 'string' ? { kind, message: message.slice(0, 500), final: final === true } : undefined
    case 'call':
      return Number.isSafeInteger(id) && methods.has(method) && typeof path === 'string' && isQuery(query)
        ? { kind, id: id as number, method: method as PanelMethod, path, query, body }
        : undefined
    default:
      return undefined
  }
}

const isQuery = (query: unknown): query is Readonly<Record<string, string | number | boolean>> | undefined =>
  query === undefined ||
  (typeof query === 'object' &&
    query !== null &&
    !Array.isArray(query) &&
    Object.values(query).every((value) => ['string', 'number', 'boolean'].includes(typeof value)))
