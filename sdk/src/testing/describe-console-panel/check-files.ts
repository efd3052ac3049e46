import { strict as assert } from 'node:assert'
import { readFile } from 'node:fs/promises'
import type { PanelComponent } from '../../contracts/console-panel/index.js'

const maxModuleBytes = 512 * 1024
const maxStylesBytes = 128 * 1024

/** What the frame of a panel does not have: it throws, or nothing happens. */
const absent: readonly (readonly [RegExp, string])[] = [
  [/\bimport\s*\(/, 'it imports while it runs'],
  [/\b(fetch|XMLHttpRequest|WebSocket|EventSource|sendBeacon)\s*\(/, 'it uses the network; call routes by consolePanel.call'],
  [/\b(localStorage|sessionStorage|indexedDB)\b|\bdocument\s*\.\s*cookie\b/, 'it uses storage of the browser'],
  [/\beval\s*\(|\bnew\s+Function\s*\(/, 'it makes code of texts'],
]

/** Fails for files that the frame of a component cannot run. */
export async function checkFiles({ element, module, styles }: PanelComponent): Promise<void> {
  const text = await readFile(module, 'utf8')
  assert.ok(Buffer.byteLength(text) <= maxModuleBytes, `the module has more than ${maxModuleBytes} bytes`)
  const code = text.replaceAll(/\/\*[\s\S]*?\*\/|(^|\s)\/\/.*$/gm, '')
  assert.ok(
    code.includes('customElements.define') && ["'", '"', '`'].some((quote) => code.includes(`${quote}${element}${quote}`)),
    `the module does not define <${element}>`,
  )
  assert.doesNotMatch(code, /^\s*(import\b(?!\.meta)|export\b[^;]*\bfrom\b)/m, 'the module imports, which the frame cannot')
  for (const [pattern, what] of absent) assert.doesNotMatch(code, pattern, `${what}, which the frame cannot`)
  if (styles !== undefined) {
    const sheet = await readFile(styles, 'utf8')
    assert.ok(Buffer.byteLength(sheet) <= maxStylesBytes, `the styles have more than ${maxStylesBytes} bytes`)
    assert.doesNotMatch(sheet, /@import\b|url\(\s*['"]?(?!data:|#)/i, 'the styles load something, which the frame cannot')
  }
}
