import { gunzipSync } from 'node:zlib'
import kdbxweb from 'kdbxweb'
import { invalid } from './problem.js'

/** What is used of the library's documents. */
export interface XmlElement extends Node {
  textContent: string | null
  getAttribute(name: string): string | null
  removeAttribute(name: string): void
}

export interface XmlDocument {
  readonly documentElement: XmlElement
}

/** An ordinary entry has about 30 elements; each version in its history as many again. */
export const maxElements = 400_000
export const maxXmlBytes = 32 * 1_024 * 1_024
export const maxDepth = 200
const maxAttachmentBytes = 64 * 1_024 * 1_024

/**
 * Parses the XML of a database. There is no document type, so no entity, before a parser sees it; elements and their
 * depth are bounded; attachments are inflated here, within a bound. @throws `vault_content_invalid`.
 */
export function parseXml(xml: string): XmlDocument {
  checkXml(xml)
  let document: XmlDocument
  try {
    document = kdbxweb.XmlUtils.parse(keepTabs(xml))
  } catch {
    // What the parser says may quote the content.
    throw invalid('its XML is not well-formed')
  }
  inflateAttachments(document)
  return document
}

/** @throws `vault_content_invalid` for XML that would cost too much, or declares anything. */
export function checkXml(xml: string): void {
  if (/<!(?!--|\[CDATA\[)/.test(xml)) throw invalid('its XML has a document type, which no program writes')
  let elements = 0
  let depth = 0
  for (let at = xml.indexOf('<'); at !== -1; at = xml.indexOf('<', at + 1)) {
    const next = xml.charCodeAt(at + 1)
    if (next === 0x2f) {
      depth -= 1
      continue
    }
    elements += 1
    if (elements > maxElements) throw invalid(`it has more than ${maxElements} elements, which is too much to read at once`)
    const end = xml.indexOf('>', at)
    if (next === 0x21 || next === 0x3f || xml.charCodeAt(end - 1) === 0x2f) continue
    depth += 1
    if (depth > maxDepth) throw invalid(`its groups are more than ${maxDepth} deep`)
  }
}

/** The parser drops tabs as they are, so those in texts become references. */
const keepTabs = (xml: string): string => xml.replaceAll(/<[^>]*>|\t/g, (found) => (found === '\t' ? '&#9;' : found))

/** Attachments of KDBX 3.1 are compressed one by one. */
function inflateAttachments(document: XmlDocument): void {
  let left = maxAttachmentBytes
  for (const element of elementsOf(document)) {
    if (kdbxweb.XmlUtils.strToBoolean(element.getAttribute('Compressed')) !== true) continue
    const bytes = inflate(Buffer.from(element.textContent ?? '', 'base64'), left)
    left -= bytes.length
    element.removeAttribute('Compressed')
    element.textContent = bytes.toString('base64')
  }
}

function elementsOf(document: XmlDocument): readonly XmlElement[] {
  const elements: XmlElement[] = []
  kdbxweb.XmlUtils.traverse(document.documentElement, (element: XmlElement) => elements.push(element))
  return elements
}

/** @throws `vault_content_invalid` when it is no gzip, or grows beyond the limit. */
export function inflate(bytes: Uint8Array, maxBytes: number): Buffer {
  try {
    return gunzipSync(bytes, { maxOutputLength: Math.max(1, maxBytes) })
  } catch (error) {
    if ((error as { readonly code?: unknown }).code === 'ERR_BUFFER_TOO_LARGE') throw invalid('it grows too large when it is decompressed')
    throw invalid('it is damaged: it cannot be decompressed')
  }
}
