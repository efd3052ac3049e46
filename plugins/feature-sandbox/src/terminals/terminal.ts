import type { TerminalSize } from '@agent-service/sdk/contracts/sandbox-driver'
import type { Clock } from '@agent-service/sdk/services/clock'
import type { Execution } from '../executions/execution.js'

/** How long a terminal goes on without a connection. */
export const maxUnattendedMs = 1_800_000

/** What a terminal says to one of its connections. Never waits. */
export interface Viewer {
  /** Whether it writes now. */
  control(writer: boolean): void
  size(size: TerminalSize): void
}

/** The place of one connection at a terminal. */
export interface Attachment {
  /** Whether it is the one that writes. */
  writes(): boolean
  /** Makes it the one that writes, unless it only watches. */
  take(): void
  /** Resizes the terminal for all, if it writes. */
  resize(size: TerminalSize): Promise<void>
  /** It has got the output up to this position. */
  got(position: number): void
  /** A second time nothing happens. */
  detach(): void
}

/** A terminal, which goes on while connections come and go. */
export interface Terminal {
  readonly size: TerminalSize
  readonly attended: boolean
  /** `watches`: it never writes. Otherwise it writes from now on. `from`: where its output begins. */
  attach(viewer: Viewer, options: { readonly watches: boolean; readonly from: number }): Attachment
}

interface Seat {
  readonly viewer: Viewer
  readonly watches: boolean
  position: number
}

/** Makes the terminal of a process, which ends when it is unattended for half an hour. */
export function createTerminal(
  execution: Pick<Execution, 'readTo' | 'resize' | 'stop' | 'exited'>,
  { clock, size: initial }: { readonly clock: Pick<Clock, 'after'>; readonly size: TerminalSize },
): Terminal {
  /** The one that writes is the last that does not only watch. */
  const seats: Seat[] = []
  let size = initial
  let isOver = false
  let cancelEnd: () => unknown = () => undefined

  const writer = (): Seat | undefined => seats.findLast(({ watches }) => !watches)
  const waitForNext = (): void => {
    cancelEnd()
    if (!isOver && seats.length === 0) cancelEnd = clock.after(maxUnattendedMs, () => void execution.stop('timeout'))
  }
  /** Tells those for whom it is news, and gives the process the pace of the one that writes. */
  const changed = (before: Seat | undefined): void => {
    const now = writer()
    execution.readTo(now?.position)
    if (before === now) return
    if (before !== undefined && seats.includes(before)) before.viewer.control(false)
    now?.viewer.control(true)
  }
  void execution.exited.then(() => {
    isOver = true
    cancelEnd()
  })
  waitForNext()

  return {
    get size() {
      return size
    },
    get attended() {
      return seats.length > 0
    },
    attach(viewer, { watches, from }) {
      const seat: Seat = { viewer, watches, position: from }
      const before = writer()
      seats.push(seat)
      waitForNext()
      changed(before)
      return {
        writes: () => writer() === seat,
        take() {
          if (watches || !seats.includes(seat)) return
          const former = writer()
          seats.splice(seats.indexOf(seat), 1)
          seats.push(seat)
          changed(former)
        },
        async resize(wanted) {
          if (writer() !== seat) return
          size = wanted
          for (const other of seats) if (other !== seat) other.viewer.size(wanted)
          await execution.resize(wanted)
        },
        got(position) {
          seat.position = position
          if (writer() === seat) execution.readTo(position)
        },
        detach() {
          const index = seats.indexOf(seat)
          if (index < 0) return
          const former = writer()
          seats.splice(index, 1)
          changed(former)
          waitForNext()
        },
      }
    },
  }
}
