import '@xterm/xterm/css/xterm.css'
import { FitAddon } from '@xterm/addon-fit'
import { Terminal } from '@xterm/xterm'
import { terminalColours } from './colours.js'

/** A grid of characters. */
export interface Size {
  readonly columns: number
  readonly rows: number
}

/** The terminal in the page: draws output, and reports keys. */
export interface Emulator {
  /** Draws bytes; resolves when they are on the screen. */
  write(bytes: Uint8Array | string): Promise<void>
  /** How many characters the box has place for. */
  place(): Size | undefined
  resize(size: Size): void
  /** Whether keys are taken. */
  setWritable(writable: boolean): void
  /** Reads the colours again, after the theme has changed. */
  refreshColours(): void
  /** Whether the arrow keys send what full-screen programs ask for. */
  sendsApplicationKeys(): boolean
  hasSelection(): boolean
  selection(): string
  focus(): void
  dispose(): void
}

/** Opens a terminal in a box. */
export function openEmulator(
  box: HTMLElement,
  events: {
    readonly label: string
    readonly screenReader: boolean
    /** What a person types or pastes, and what the terminal answers to programs. */
    readonly onKeys: (bytes: Uint8Array, byPerson: boolean) => void
    /** Before the terminal has a key; false keeps it from the program. */
    readonly onKeyDown: (event: KeyboardEvent) => boolean
    readonly onLink: (address: string) => void
  },
): Emulator {
  const encoder = new TextEncoder()
  Terminal.strings.promptLabel = events.label
  const terminal = new Terminal({
    fontFamily: getComputedStyle(box).getPropertyValue('--font-mono'),
    fontSize: 13,
    scrollback: 5_000,
    minimumContrastRatio: 4.5,
    screenReaderMode: events.screenReader,
    theme: terminalColours(box),
    linkHandler: { activate: (_, address) => events.onLink(address) },
  })
  const fit = new FitAddon()
  terminal.loadAddon(fit)
  terminal.attachCustomKeyEventHandler((event) => event.type !== 'keydown' || events.onKeyDown(event))
  let byPerson = false
  // Is called right before the key arrives at `onData`.
  terminal.onKey(() => {
    byPerson = true
  })
  terminal.onData((text) => {
    events.onKeys(encoder.encode(text), byPerson)
    byPerson = false
  })
  terminal.onBinary((text) =>
    events.onKeys(
      Uint8Array.from(text, (character) => character.charCodeAt(0)),
      false,
    ),
  )
  terminal.open(box)
  return {
    write: (bytes) => new Promise((resolve) => terminal.write(bytes, resolve)),
    place: () => {
      const found = fit.proposeDimensions()
      return found && Number.isFinite(found.cols) ? { columns: clamp(found.cols), rows: clamp(found.rows) } : undefined
    },
    resize: ({ columns, rows }) => terminal.resize(columns, rows),
    setWritable: (writable) => {
      terminal.options.disableStdin = !writable
    },
    refreshColours: () => {
      terminal.options.theme = terminalColours(box)
    },
    sendsApplicationKeys: () => terminal.modes.applicationCursorKeysMode,
    hasSelection: () => terminal.hasSelection(),
    selection: () => terminal.getSelection(),
    focus: () => terminal.focus(),
    dispose: () => terminal.dispose(),
  }
}

/** The service takes 1 to 1,000. */
const clamp = (side: number): number => Math.max(1, Math.min(1_000, side))
