import { strict as assert } from 'node:assert'
import { visibleLine } from '../../core/visible-line.js'
import { assertMembers } from '../settle-within.js'
import { isObject } from './assert-content.js'
import type { ToolExample, ToolSuite } from './suite-options.js'

/** Limits of the kinds of one call, as the service has them; keys and labels in UTF-16 code units. */
const maxScopes = 10
const maxKeyLength = 500
const maxLabelLength = 200

/** Rules for what people read about a call before it runs. */
export function describeWords({ create, runner }: ToolSuite, example: ToolExample): void {
  runner.it(`asks its question synchronously: ${example.title}`, () => {
    const asked: unknown = create().asks?.(structuredClone(example.input))
    if (asked === undefined) return
    assert.ok(isObject(asked) && !('then' in asked), 'asks returned a promise; expected the question itself, or undefined')
    assertMembers(asked, ['question', 'options'], 'the question')
    assert.ok(isText(asked['question']), 'the question is not a text, or empty')
    const { options: choices = [] } = asked
    assert.ok(Array.isArray(choices) && choices.every(isText), 'the options are not a list of texts')
  })
  runner.it(`names well-formed kinds of calls: ${example.title}`, () => assertScopes(create().scopes?.(structuredClone(example.input))))
  runner.it(`says what exactly this call is: ${example.title}`, () => {
    const words: unknown = create().exactly?.(structuredClone(example.input)) ?? 'Exactly this call'
    assert.ok(words === false || isLine(words, maxLabelLength), `exactly returned ${shownValue(words)}; expected one line, or false`)
  })
  runner.it(`names the same kinds of the same call each time: ${example.title}`, () => {
    const tool = create()
    const input = structuredClone(example.input)
    const named = [tool.scopes?.(input), tool.exactly?.(input)]
    assert.deepEqual(input, example.input, 'naming kinds changed the input')
    for (const other of [tool, create()]) assert.deepEqual([other.scopes?.(input), other.exactly?.(input)], named)
  })
  runner.it(`has a purpose of one line: ${example.title}`, () => {
    const purpose = create().purpose?.(structuredClone(example.input))
    assert.ok(purpose === undefined || (purpose.trim() !== '' && !purpose.includes('\n')), 'the purpose is empty or has several lines')
  })
  runner.it(`does not change its input for its words: ${example.title}`, () => {
    const tool = create()
    for (const member of ['asks', 'purpose', 'scopes', 'exactly'] as const) {
      const input = structuredClone(example.input)
      tool[member]?.(input)
      assert.deepEqual(input, example.input, `${member} changed the input`)
    }
  })
}

function assertScopes(scopes: unknown): void {
  if (scopes === undefined) return
  assert.ok(Array.isArray(scopes), `scopes returned ${shownValue(scopes)}; expected a list, not a promise`)
  assert.ok(scopes.length <= maxScopes, `scopes named ${scopes.length} kinds; at most ${maxScopes} are offered`)
  for (const [index, scope] of scopes.entries()) {
    assert.ok(isObject(scope), `the scope ${index} is not an object`)
    assertMembers(scope, ['key', 'label'], `the scope ${index}`)
    assert.ok(
      isText(scope['key']) && scope['key'].length <= maxKeyLength,
      `the key of the scope ${index} is not a text of 1 to ${maxKeyLength} characters`,
    )
    assert.ok(
      isLine(scope['label'], maxLabelLength),
      `the label of the scope ${index} is not one line of 1 to ${maxLabelLength} visible characters`,
    )
  }
  assert.equal(new Set(scopes.map(({ key }) => key)).size, scopes.length, 'two scopes have the same key')
}

/** One line, with nothing that a screen hides or a terminal obeys. */
const isLine = (value: unknown, maxLength: number): boolean => isText(value) && value.length <= maxLength && visibleLine(value) === value

const shownValue = (value: unknown): string => (typeof value === 'string' ? `“${value}”` : Object.prototype.toString.call(value))

const isText = (value: unknown): value is string => typeof value === 'string' && value.trim() !== ''
