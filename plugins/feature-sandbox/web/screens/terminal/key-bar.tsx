import { For, type JSX } from 'solid-js'
import { t } from './texts.js'

/** What the arrows and Escape are to a program; `O` while it asked for application keys. */
const keys = [
  { label: 'Esc', code: '\u001b' },
  { label: 'Tab', code: '\t' },
  { label: '←', arrow: 'D' },
  { label: '↑', arrow: 'A' },
  { label: '↓', arrow: 'B' },
  { label: '→', arrow: 'C' },
  { label: '^C', code: '\u0003' },
] as const

/** The keys that a phone's keyboard lacks. Ctrl holds until the next letter. */
export function KeyBar(props: {
  readonly control: boolean
  readonly disabled: boolean
  readonly onControl: (on: boolean) => void
  readonly applicationKeys: () => boolean
  readonly onKeys: (text: string) => void
}): JSX.Element {
  return (
    <div class="terminal-keys" role="toolbar" aria-label={t('keys')}>
      <button
        type="button"
        class="btn s"
        aria-pressed={props.control}
        disabled={props.disabled}
        onPointerDown={(event) => event.preventDefault()}
        onClick={() => props.onControl(!props.control)}
      >
        {t('key_control')}
      </button>
      <For each={keys}>
        {(key) => (
          <button
            type="button"
            class="btn s"
            disabled={props.disabled}
            onPointerDown={(event) => event.preventDefault()}
            onClick={() => props.onKeys('code' in key ? key.code : `\u001b${props.applicationKeys() ? 'O' : '['}${key.arrow}`)}
          >
            {key.label}
          </button>
        )}
      </For>
    </div>
  )
}

/** `c` becomes Ctrl+C: a letter or one of `@[\]^_`, as terminals have it. */
export function withControl(bytes: Uint8Array): Uint8Array {
  const [first] = bytes
  if (bytes.length !== 1 || first === undefined || !/[@-_a-z]/.test(String.fromCharCode(first))) return bytes
  return Uint8Array.of(first & 0x1f)
}
