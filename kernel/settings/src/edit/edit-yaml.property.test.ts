import { parseYaml } from '@agent-service/kernel-core/config/yaml'
import type { JsonObject } from '@agent-service/sdk'
import { expect } from 'chai'
import fc from 'fast-check'
import { parseDocument } from 'yaml'
import { editYaml, type Failed, openYaml, textOf, type YamlOperation } from './edit-yaml.js'
import { operationsOn, randomText, type TextLine, valueAt } from './random-yaml.test.js'

type Splice = (text: string, operations: readonly YamlOperation[]) => { readonly text: string } | Failed

const parsedValue = (text: string): JsonObject => {
  const parsed = parseYaml(text.replace(/^\ufeff/, ''))
  if ('problems' in parsed) throw new Error(`${JSON.stringify(parsed.problems)} in:\n${text}`)
  return parsed.value
}

const begins = (path: readonly string[], other: readonly string[]): boolean => path.every((name, index) => name === other[index])

/**
 * Whether an operation may change a line: it is the member's own, or the one that the member's map
 * is written on, or one whose object is emptied.
 */
function mayChange({ path: line, part }: TextLine, { path, kind }: YamlOperation, before: JsonObject): boolean {
  if (line === undefined) return false
  if (begins(path, line)) return true
  if (part === 'whole') return begins(line, path)
  const above = path.slice(0, -1)
  return kind === 'remove' && line.length === above.length && begins(line, above) && Object.keys(valueAt(before, above) ?? {}).length <= 1
}

/**
 * What an operation did to lines that are not its own. Comments inside the member that goes are its
 * own, so those without a path are held to the value's range.
 */
function damage(lines: readonly TextLine[], after: string, operation: YamlOperation, before: JsonObject): string | undefined {
  const own = lines.map((line) => mayChange(line, operation, before))
  const [first, last] = [own.indexOf(true), own.lastIndexOf(true)]
  // Blank lines behind a text that keeps them (`|+`) are part of it.
  const keeping = lines.some(({ text }) => text.includes('|+'))
  const kept = lines.filter((line, index) => {
    if (line.path === undefined && index > first && index < last) return false
    return !own[index] && !(keeping && line.text.trim() === '')
  })
  const rest = after.split(/(?<=\n)/)
  let at = 0
  for (const [index, { text }] of kept.entries()) {
    const content = (line: string | undefined): string | undefined => (index === kept.length - 1 ? line?.replace(/\r?\n$/, '') : line)
    while (at < rest.length && content(rest[at]) !== content(text)) at++
    if (at >= rest.length) return `the line ${JSON.stringify(text)} is not there any more, or moved`
    at++
  }
  return undefined
}

const edit: Splice = (text, operations) => {
  const source = openYaml(text)
  const result = 'problems' in source ? source : editYaml(source, operations)
  return 'problems' in result ? result : { text: textOf(result) }
}

/** Holds one operation after the other to what it may do. */
function check(splice: Splice, numRuns: number): void {
  const cases = randomText.chain((lines) => operationsOn(parsedValue(joined(lines))).map((operations) => ({ lines, operations })))
  fc.assert(
    fc.property(cases, ({ lines, operations }) => {
      const text = joined(lines)
      const before = parsedValue(text)
      const operation = operations[0]
      if (!operation) return
      const result = splice(text, [operation])
      if ('problems' in result) {
        expect(result.problems[0]?.message, `${JSON.stringify(operation)}\n${text}`).to.match(/not an object/)
        return
      }
      const found = damage(lines, result.text, operation, before)
      expect(found, `${JSON.stringify(operation)}\n${text}\n-----\n${result.text}`).to.equal(undefined)
      expect(result.text.startsWith('\ufeff')).to.equal(text.startsWith('\ufeff'))
      if (operation.kind === 'set') expect(valueAt(parsedValue(result.text), operation.path)).to.deep.equal(operation.value)
      else expect(valueAt(parsedValue(result.text), operation.path)).to.equal(undefined)
      const together = splice(text, operations)
      const apart = operations.reduce<string | undefined>((current, next) => {
        const one = current === undefined ? undefined : splice(current, [next])
        return one && 'text' in one ? one.text : undefined
      }, text)
      expect('text' in together).to.equal(apart !== undefined)
      if ('text' in together && apart !== undefined) expect(parsedValue(together.text)).to.deep.equal(parsedValue(apart))
    }),
    { numRuns, endOnFailure: true },
  )
}

const joined = (lines: readonly TextLine[]): string => lines.map(({ text }) => text).join('')

/** Prints the whole document anew, as the library offers it. */
const reprint: Splice = (text, operations) => {
  const document = parseDocument(text, { stringKeys: true })
  for (const operation of operations) {
    if (operation.kind === 'set') document.setIn(operation.path, operation.value)
    else document.deleteIn(operation.path)
  }
  return { text: String(document) }
}

/** Takes the comment above a member along when the member goes. */
const dropComments: Splice = (text, operations) => {
  const result = edit(text, operations)
  const removed = operations.some(({ kind }) => kind === 'remove') && 'text' in result && result.text !== text
  return removed ? { text: result.text.replace(/^ *# about the next\r?\n/m, '') } : result
}

describe('editing a random YAML text', function () {
  this.timeout(120_000)

  it('changes what the operation says and no other line, byte for byte', () => {
    check(edit, 250)
  })

  for (const [name, broken] of Object.entries({ 'the whole document was printed anew': reprint, 'a comment went along': dropComments }))
    it(`would be found out when ${name}`, () => {
      expect(() => check(broken, 400)).to.throw('Property failed')
    })
})
