import { placed } from '../core/base.js'
import { type FramePort, onFrameGreeting, openFramePort } from '../core/frame-port.js'
import { type Picture, pictureOf } from './svg-text.js'
import { t } from './texts.js'

const greeting = 'agent-service-diagrams'
const maxSourceLength = 20_000
const maxMessageLength = 2_000_000
/** Until the page of the frame has come, which is large, and until one diagram is drawn. */
const maxStartMs = 30_000
const maxDrawMs = 8_000
/** How long the frame stays when there is nothing to draw. */
const idleMs = 60_000

/** How a diagram looks: the theme, and colours as they are computed. */
export interface DiagramLook {
  readonly isDark: boolean
  readonly colours: Readonly<Record<string, string>>
}

interface Drawing {
  readonly source: string
  readonly look: DiagramLook
  readonly resolve: (picture: Picture) => void
  readonly reject: (error: Error) => void
}

type Answer =
  | { readonly kind: 'drawn'; readonly id: number; readonly tree: unknown }
  | { readonly kind: 'failed'; readonly id: number; readonly message: string }

/**
 * The one hidden frame in which all diagrams are drawn, one after the other. Its page has an opaque
 * origin and no network; what comes back becomes a picture by lists of the console. A drawing that
 * takes too long, or a message that breaks a rule, ends the frame; the next diagram gets another.
 */
class DrawingFrame {
  readonly #waiting: Drawing[] = []
  #element: HTMLIFrameElement | undefined
  #port: FramePort | undefined
  #endWait: (() => void) | undefined
  #drawing: Drawing | undefined
  #id = 0
  #timer: ReturnType<typeof setTimeout> | undefined

  add(drawing: Drawing): void {
    this.#waiting.push(drawing)
    if (this.#element === undefined) this.#open()
    else this.#next()
  }

  #open(): void {
    const element = document.createElement('iframe')
    element.className = 'diagram-frame'
    element.setAttribute('sandbox', 'allow-scripts')
    element.referrerPolicy = 'no-referrer'
    element.tabIndex = -1
    element.ariaHidden = 'true'
    element.src = placed('/api/console/diagrams/frame')
    this.#element = element
    this.#endWait = onFrameGreeting(
      () => this.#element,
      greeting,
      (port) => this.#connect(port),
    )
    this.#limit(maxStartMs, 'not_started')
    document.body.append(element)
  }

  #connect(port: MessagePort): void {
    this.#port = openFramePort<Answer>(port, {
      maxLength: maxMessageLength,
      size: 40,
      perSecond: 20,
      read: readAnswer,
      onMessage: (answer) => this.#take(answer),
      onBroken: () => this.#end(new Error(t('broke'))),
    })
    clearTimeout(this.#timer)
    this.#next()
  }

  #next(): void {
    if (this.#port === undefined || this.#drawing !== undefined) return
    const drawing = this.#waiting.shift()
    clearTimeout(this.#timer)
    if (drawing === undefined) {
      this.#timer = setTimeout(() => this.#close(), idleMs)
      return
    }
    this.#drawing = drawing
    this.#id += 1
    this.#limit(maxDrawMs, 'too_slow')
    this.#port.send({ id: this.#id, source: drawing.source, look: drawing.look })
  }

  #take(answer: Answer): void {
    const drawing = this.#drawing
    if (drawing === undefined || answer.id !== this.#id) {
      this.#end(new Error(t('broke')))
      return
    }
    this.#drawing = undefined
    try {
      if (answer.kind === 'failed') throw new Error(answer.message)
      drawing.resolve(pictureOf(answer.tree))
    } catch (error) {
      drawing.reject(error instanceof Error ? error : new Error(String(error)))
    }
    this.#next()
  }

  #limit(milliseconds: number, reason: 'not_started' | 'too_slow'): void {
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => this.#end(new Error(t(reason))), milliseconds)
  }

  /** Fails what is being drawn; without a page, all that waits. The rest gets another frame. */
  #end(error: Error): void {
    const isStarted = this.#port !== undefined
    this.#close()
    this.#drawing?.reject(error)
    this.#drawing = undefined
    if (!isStarted) for (const drawing of this.#waiting.splice(0)) drawing.reject(error)
    if (this.#waiting.length > 0) this.#open()
  }

  #close(): void {
    clearTimeout(this.#timer)
    this.#endWait?.()
    this.#port?.close()
    this.#element?.remove()
    this.#port = undefined
    this.#element = undefined
  }
}

const frame = new DrawingFrame()

/** Draws a diagram. @throws with the reason if it cannot be drawn. */
export async function drawDiagram(source: string, look: DiagramLook): Promise<Picture> {
  if (source.length > maxSourceLength) throw new Error(t('too_long', { max: maxSourceLength }))
  return new Promise((resolve, reject) => frame.add({ source, look, resolve, reject }))
}

function readAnswer({ kind, id, tree, message }: Readonly<Record<string, unknown>>): Answer | undefined {
  if (typeof id !== 'number') return undefined
  if (kind === 'drawn') return { kind, id, tree }
  if (kind === 'failed' && typeof message === 'string') return { kind, id, message: message.slice(0, 500) }
  return undefined
}
