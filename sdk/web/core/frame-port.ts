import { createTokenBucket } from './token-bucket.js'

/**
 * Waits for the greeting of the page in a frame, and gives it a port. Its origin is opaque, so that
 * it has no name to send to; the port leads nowhere but to this page. Returns what ends the wait.
 */
export function onFrameGreeting(
  frame: () => HTMLIFrameElement | undefined,
  greeting: string,
  onPort: (port: MessagePort) => void,
): () => void {
  const greet = ({ source, data }: MessageEvent): void => {
    const page = frame()?.contentWindow
    if (!page || source !== page || data !== greeting) return
    end()
    const { port1, port2 } = new MessageChannel()
    onPort(port1)
    page.postMessage('', '*', [port2])
  }
  const end = (): void => window.removeEventListener('message', greet)
  window.addEventListener('message', greet)
  return end
}

export interface FramePortOptions<Message> {
  readonly maxLength: number
  /** How many messages may come at once, and each second. */
  readonly size: number
  readonly perSecond: number
  /** A message that keeps the rules; `undefined` for everything else. */
  readonly read: (value: Readonly<Record<string, unknown>>) => Message | undefined
  readonly onMessage: (message: Message) => void
  /** A rule was broken; the port is closed. */
  readonly onBroken: () => void
}

export interface FramePort {
  send(message: object): void
  close(): void
}

/**
 * The console's end of a frame's port. Whatever comes is a text that is counted, measured before it
 * is read, parsed, and checked member by member; anything else ends the connection.
 */
export function openFramePort<Message>(port: MessagePort, options: FramePortOptions<Message>): FramePort {
  const bucket = createTokenBucket({ size: options.size, perSecond: options.perSecond })
  let isOpen = true
  const close = (): void => {
    isOpen = false
    port.close()
  }
  port.addEventListener('message', ({ data }: MessageEvent<unknown>) => {
    if (!isOpen) return
    const value = bucket.take() ? parse(data, options.maxLength) : undefined
    const message = value && options.read(value)
    if (message !== undefined) return options.onMessage(message)
    close()
    options.onBroken()
  })
  port.start()
  return {
    send(message) {
      if (isOpen) port.postMessage(JSON.stringify(message))
    },
    close,
  }
}

function parse(data: unknown, maxLength: number): Readonly<Record<string, unknown>> | undefined {
  if (typeof data !== 'string' || data.length > maxLength) return undefined
  try {
    const value: unknown = JSON.parse(data)
    return typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>) : undefined
  } catch {
    return undefined
  }
}
