import { readEvents, send } from '@agent-service/sdk/web'
import { createSignal, onCleanup } from 'solid-js'
import type { Schemas } from '../../api/index.js'
import { createPlainOutput } from './plain-output.js'

type Piece = Schemas['SandboxOutputPiece']

const maxPauseMs = 10_000

/** The output of a process, live. */
export interface FollowedOutput {
  readonly lines: () => readonly string[]
  /** Whether earlier output is missing: here or in the service. */
  readonly cut: () => boolean
  /** Why nothing comes at the moment; it is tried again. */
  readonly error: () => unknown
  readonly ended: () => boolean
}

/** Follows until the process or the component ends; an interruption continues where it was. */
export function followOutput(processId: string): FollowedOutput {
  const output = createPlainOutput()
  const [lines, setLines] = createSignal<readonly string[]>([])
  const [cut, setCut] = createSignal(false)
  const [error, setError] = createSignal<unknown>()
  const [ended, setEnded] = createSignal(false)
  const controller = new AbortController()
  const { signal } = controller
  let position = 0
  let frame: number | undefined
  let timer: ReturnType<typeof setTimeout> | undefined
  let wake = (): void => undefined

  const draw = (): void => {
    frame ??= requestAnimationFrame(() => {
      frame = undefined
      setLines(output.lines())
      if (output.cut()) setCut(true)
    })
  }
  const read = async (): Promise<boolean> => {
    const path = `/api/sandbox/processes/${encodeURIComponent(processId)}/output/stream`
    const answer = await send('get', path, { query: { from: position }, headers: { accept: 'text/event-stream' }, signal })
    setError(undefined)
    if (!answer.body) return false
    for await (const { id, event, data } of readEvents(answer.body, () => undefined)) {
      if (event === 'exit') return true
      if (event !== 'output') continue
      const piece = data as Piece
      if (piece.from > position) setCut(true)
      position = Number(id)
      output.add(piece.text)
      draw()
    }
    return false
  }
  const follow = async (): Promise<void> => {
    for (let pauseMs = 250; !signal.aborted; pauseMs = Math.min(maxPauseMs, pauseMs * 2)) {
      const before = position
      try {
        if (await read()) return void setEnded(true)
      } catch (cause) {
        if (signal.aborted) return
        setError(() => cause)
      }
      if (position > before) pauseMs = 250
      await new Promise<void>((resolve) => {
        wake = resolve
        timer = setTimeout(resolve, pauseMs)
      })
    }
  }
  void follow()
  onCleanup(() => {
    controller.abort()
    if (frame !== undefined) cancelAnimationFrame(frame)
    clearTimeout(timer)
    wake()
  })
  return { lines, cut, error, ended }
}
