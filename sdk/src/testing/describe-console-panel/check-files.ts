import { strict as assert } from 'node:assert'
import { readFile } from 'node:fs/promises'
import type { PanelComponent } from '../../contracts/console-panel/index.js'
import { assertParses } from './assert-parses.js'
import { routeOf } from './match-route.js'
import type { PanelSuiteRoute } from './suite-options.js'

const maxModuleBytes = 512 * 1024
const maxStylesBytes = 128 * 1024

/** What the frame of a panel does not have: it throws, or nothing happens. */
const absent: readonly (readonly [RegExp, string])[] = [
  [/\bimport\s*\(/, 'it imports while it runs'],
  [/\b(fetch|XMLHttpRequest|WebSocket|EventSource|sendBeacon)\s*\(/, 'it uses the network; call routes by consolePanel.call'],
  [/\b(localStorage|sessionStorage|indexedDB)\b|\bdocument\s*\.\s*cookie\b/, 'it uses storage of the browser'],
  [/\beval\s*\(|\bnew\s+Function\s*\(/, 'it makes code of texts'],
]

/** Fails for files that the frame of a component cannot run, and for calls of routes that are not there, if these are given. */
export async function checkFiles({ element, module, styles }: PanelComponent, routes?: readonly PanelSuiteRoute[]): Promise<void> {
  const text = await readFile(module, 'utf8')
  assert.ok(Buffer.byteLength(text) <= maxModuleBytes, `the module has more than ${maxModuleBytes} bytes`)
  const code = text.replaceAll(/\/\*[\s\S]*?\*\/|(^|\s)\/\/.*$/gm, '')
  assert.ok(
    code.includes('customElements.define') && ["'", '"', '`'].some((quote) => code.includes(`${quote}${element}${quote}`)),
    `the module does not define <${element}>`,
  )
  assert.doesNotMatch(code, /^\s*(import\b(?!\.meta)|export\b[^;]*\bfrom\b)/m, 'the module imports, which the frame cannot')
  for (const [pattern, what] of absent) assert.doesNotMatch(code, pattern, `${what}, which the frame cannot`)
  await assertParses(text)
  if (routes) assert.deepEqual(missingRoutes(code, routes), [], 'the module calls routes that its plugin does not have')
  if (styles !== undefined) {
    const sheet = await readFile(styles, 'utf8')
    assert.ok(Buffer.byteLength(sheet) <= maxStylesBytes, `the styles have more than ${maxStylesBytes} bytes`)
    assert.doesNotMatch(sheet, /@import\b|url\(\s*['"]?(?!data:|#)/i, 'the styles load something, which the frame cannot')
  }
}

/** A call with its method and path as literals: what is put together elsewhere is not seen. */
const literalCall = /\.call\(\s*(['"`])(GET|POST|PUT|PATCH|DELETE)\1\s*,\s*(['"`])(\/api\/plugins\/(?:(?!\3)[^\\\n])*)\3\s*[,)]/g

/** The calls of literal paths that no route takes; what a template fills in may be anything. */
function missingRoutes(code: string, routes: readonly PanelSuiteRoute[]): readonly string[] {
  return [...code.matchAll(literalCall)].flatMap(([, , method = '', , called = '']) => {
    const filled = called.replaceAll(/\$\{[^}]*\}/g, '{value}')
    // A template that is a part of a segment, or has segments of its own, is not one parameter.
    const isPlain = filled.split('/').every((segment) => !segment.includes('{') || segment === '{value}')
    return !isPlain || routeOf(routes, { method, path: filled }) ? [] : [`${method} ${called}`]
  })
}
