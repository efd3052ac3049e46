import type { ITheme } from '@xterm/xterm'

const names = [
  ...['black', 'red', 'green', 'yellow', 'blue', 'magenta', 'cyan', 'white'],
  ...['brightBlack', 'brightRed', 'brightGreen', 'brightYellow', 'brightBlue', 'brightMagenta', 'brightCyan', 'brightWhite'],
] as const

/** The colours of the box as the terminal takes them: `terminal.css` has them for both themes. */
export function terminalColours(box: HTMLElement): ITheme {
  const probe = document.createElement('span')
  box.append(probe)
  const colourOf = (variable: string): string => {
    probe.style.color = `var(${variable})`
    return getComputedStyle(probe).color
  }
  const palette = Object.fromEntries(names.map((name, index) => [name, colourOf(`--terminal-${index}`)]))
  const theme: ITheme = {
    ...palette,
    background: colourOf('--bg-sunken'),
    foreground: colourOf('--text'),
    cursor: colourOf('--accent'),
    cursorAccent: colourOf('--bg-sunken'),
    selectionBackground: colourOf('--terminal-selection'),
    scrollbarSliderBackground: colourOf('--terminal-slider'),
    scrollbarSliderHoverBackground: colourOf('--line-strong'),
    scrollbarSliderActiveBackground: colourOf('--line-strong'),
  }
  probe.remove()
  return theme
}
