import { browserUseError } from '../common/errors.js'

/** A key as the protocol describes it. */
export interface Key {
  readonly key: string
  readonly code: string
  readonly windowsVirtualKeyCode: number
  readonly text?: string
}

const named: Readonly<Record<string, Key>> = Object.fromEntries(
  (
    [
      ['Enter', 13, '\r'],
      ['Tab', 9],
      ['Escape', 27],
      ['Backspace', 8],
      ['Delete', 46],
      ['Home', 36],
      ['End', 35],
      ['PageUp', 33],
      ['PageDown', 34],
      ['ArrowLeft', 37],
      ['ArrowUp', 38],
      ['ArrowRight', 39],
      ['ArrowDown', 40],
      ...Array.from({ length: 12 }, (_, index) => [`F${index + 1}`, 112 + index] as const),
    ] as const
  ).map(([key, windowsVirtualKeyCode, text]) => [key, { key, code: key, windowsVirtualKeyCode, ...(text === undefined ? {} : { text }) }]),
)
const space: Key = { key: ' ', code: 'Space', windowsVirtualKeyCode: 32, text: ' ' }
const modifierBits = { Alt: 1, Control: 2, Meta: 4, Shift: 8 } as const

/** Reads `Enter`, `a`, `Control+A`, `Shift+Tab`. @throws `browser_use_invalid`. */
export function readKey(text: string): { readonly key: Key; readonly modifiers: number } {
  const parts = text === '+' ? ['+'] : text.split('+').map((part) => (part === '' ? '+' : part))
  const last = parts.pop() ?? ''
  let modifiers = 0
  for (const part of parts) {
    if (!Object.hasOwn(modifierBits, part)) throw unknownKey(text)
    modifiers |= modifierBits[part as keyof typeof modifierBits]
  }
  const key = last === ' ' || last === 'Space' ? space : Object.hasOwn(named, last) ? named[last] : character(last)
  if (key === undefined) throw unknownKey(text)
  // With Control, Alt or Meta a key writes nothing.
  const { text: written, ...silent } = key
  return { key: (modifiers & 7) === 0 && written !== undefined ? { ...silent, text: written } : silent, modifiers }
}

function character(text: string): Key | undefined {
  if ([...text].length !== 1) return undefined
  const upper = text.toUpperCase()
  const isLetter = /^[A-Z]$/.test(upper)
  const code = isLetter ? `Key${upper}` : /^\d$/.test(text) ? `Digit${text}` : ''
  return { key: text, code, windowsVirtualKeyCode: isLetter || /^\d$/.test(text) ? upper.charCodeAt(0) : 0, text }
}

const unknownKey = (text: string) =>
  browserUseError.create({
    text: `“${text.slice(0, 40)}” is no key. Use a character, or ${Object.keys(named).slice(0, 13).join(', ')}, Space, F1 to F12, with Control+, Shift+, Alt+ or Meta+ before it.`,
  })
