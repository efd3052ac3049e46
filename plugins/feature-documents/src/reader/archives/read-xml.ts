import { TextDecoder } from 'node:util'
import { SaxesParser } from 'saxes'
import { tooCostly, unreadable } from '../common/failures.js'

const maxDepth = 5_000
const maxValueLength = 4 * 1024 * 1024

export type XmlAttributes = Readonly<Record<string, string>>

/** What happens at each step through a file of XML. Names have no prefix. */
export interface XmlSteps {
  open?(name: string, attributes: XmlAttributes): void
  text?(text: string): void
  close?(name: string): void
  /** Asked after each piece of the file: nothing more is needed. */
  done?(): boolean
}

/**
 * Goes through a file of XML, in pieces and without building a tree. Entities that a file declares
 * are never expanded: a file with a document type is refused.
 */
export async function readXml(content: AsyncIterable<Uint8Array>, steps: XmlSteps): Promise<void> {
  const parser = new SaxesParser()
  let depth = 0
  parser.on('error', (error) => {
    throw error
  })
  parser.on('doctype', () => {
    throw unreadable('it declares a document type, which may hide a bomb of entities')
  })
  parser.on('opentag', ({ name, attributes }) => {
    depth += 1
    if (depth > maxDepth) throw tooCostly(`${maxDepth.toLocaleString('en')} levels of nesting`)
    steps.open?.(withoutPrefix(name), attributes)
  })
  parser.on('closetag', ({ name }) => {
    depth -= 1
    steps.close?.(withoutPrefix(name))
  })
  const onText = (text: string): void => {
    if (text.length > maxValueLength) throw tooCostly(`${maxValueLength} characters in one place`)
    steps.text?.(text)
  }
  parser.on('text', onText)
  parser.on('cdata', onText)

  let decoder: TextDecoder | undefined
  for await (const piece of content) {
    decoder ??= new TextDecoder(encodingOf(piece))
    parser.write(decoder.decode(piece, { stream: true }))
    if (steps.done?.() === true) return
  }
  parser.close()
}

/** An attribute by its name without a prefix; `prefixed`: only one that has a prefix, as `r:id`. */
export function attributeOf(attributes: XmlAttributes, name: string, { prefixed = false } = {}): string | undefined {
  if (!prefixed && Object.hasOwn(attributes, name)) return attributes[name]
  const found = Object.keys(attributes).find((key) => key.endsWith(`:${name}`))
  return found === undefined ? undefined : attributes[found]
}

const withoutPrefix = (name: string): string => name.slice(name.indexOf(':') + 1)

function encodingOf(beginning: Uint8Array): string {
  if (beginning[0] === 0xff && beginning[1] === 0xfe) return 'utf-16le'
  return beginning[0] === 0xfe && beginning[1] === 0xff ? 'utf-16be' : 'utf-8'
}
