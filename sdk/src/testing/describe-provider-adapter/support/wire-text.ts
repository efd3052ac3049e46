import { strict as assert } from 'node:assert'
import { isDeepStrictEqual } from 'node:util'

/** All that a body says, in its order, without the escapes of its format. */
export interface WireText {
  /** Every text and every name of a member, one after the other. Of a body that is not JSON: itself. */
  readonly text: string
  /** Every value in it, those in texts that are JSON themselves too. */
  readonly values: readonly unknown[]
}

/** What no text has, so that two neighbours never look like one text. */
const border = '\u0000'

/** Reads a body. A text that is JSON itself is read too: some protocols send arguments so. */
export function readWire(body: string): WireText {
  const root = parsed(body)
  if (root === undefined) return { text: body, values: [] }
  const texts: string[] = []
  const values: unknown[] = []
  const visit = (value: unknown): void => {
    values.push(value)
    if (typeof value === 'string') {
      const inner = parsed(value)
      if (inner === undefined) texts.push(value)
      else visit(inner)
    } else if (Array.isArray(value)) value.forEach(visit)
    else if (typeof value === 'object' && value !== null)
      for (const [name, member] of Object.entries(value)) {
        texts.push(name)
        visit(member)
      }
  }
  visit(root)
  return { text: texts.join(border), values }
}

/** The object or list that a text is in JSON. */
function parsed(text: string): object | undefined {
  if (!/^\s*[{[]/.test(text)) return undefined
  try {
    return JSON.parse(text) as object
  } catch {
    return undefined
  }
}

/** How often a text occurs. */
export const countIn = (wire: string, text: string): number => wire.split(text).length - 1

/** Fails unless the text is on the wire once, unchanged. `mark` is a part of it that nothing else has. */
export function assertOnce({ text: wire }: WireText, text: string, mark: string, what: string): void {
  const count = countIn(wire, text)
  if (count === 1) return
  assert.ok(count === 0, `${what} is on the wire ${count} times`)
  assert.fail(wire.includes(mark) ? `${what} is on the wire, but cut or changed` : `${what} did not reach the wire`)
}

/** Fails unless the texts are on the wire in this order. */
export function assertInOrder({ text: wire }: WireText, texts: readonly string[], what: string): void {
  const places = texts.map((text) => wire.indexOf(text))
  assert.deepEqual(
    places,
    [...places].sort((one, other) => one - other),
    `${what} are on the wire in another order`,
  )
}

/** Fails unless a value is on the wire, in whatever order of members. */
export function assertValue({ text, values }: WireText, value: object, what: string): void {
  const isThere = values.some((other) => isDeepStrictEqual(other, value))
  assert.ok(isThere || text.includes(JSON.stringify(value)), `${what} did not reach the wire unchanged`)
}
