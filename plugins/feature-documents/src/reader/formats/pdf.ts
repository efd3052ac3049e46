import { getDocumentProxy } from 'unpdf'
import { unreadable } from '../common/failures.js'
import type { ReadFormat } from '../common/format.js'
import { readableArabic } from './arabic-forms.js'
import { pageText, type TextItem } from './pdf-lines.js'

/** The parts of the library's document that are used here. */
interface PdfDocument {
  readonly numPages: number
  getPage(number: number): Promise<PdfPage>
  getMetadata(): Promise<{ readonly info?: Readonly<Record<string, unknown>> }>
}
interface PdfPage {
  getTextContent(options: { readonly includeMarkedContent: false }): Promise<{ readonly items: readonly unknown[] }>
  cleanup(): void
}

/** A PDF: the text of its pages, in the order in which the file has it. */
export const readPdf: ReadFormat = async ({ bytes, sink }) => {
  const document = await open(bytes)
  const { numPages } = document
  for (let number = 1; number <= numPages && !sink.full; number += 1) {
    const page = await document.getPage(number)
    const { items } = await page.getTextContent({ includeMarkedContent: false })
    const text = readableLines(pageText(items.filter(isText)))
    page.cleanup()
    if (text !== '') sink.add(`${numPages > 1 ? `[Page ${number}]\n\n` : ''}${text}\n\n`)
  }
  const { info = {} } = await document.getMetadata()
  const told = (name: string): string | undefined => {
    const value = info[name]
    return typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined
  }
  return { title: told('Title'), details: { pages: numPages, author: told('Author'), subject: told('Subject') } }
}

async function open(bytes: Uint8Array): Promise<PdfDocument> {
  try {
    // The library takes the bytes over. Nothing is drawn, so no fonts or pictures are needed.
    return (await getDocumentProxy(new Uint8Array(bytes), {
      disableFontFace: true,
      useSystemFonts: false,
      isEvalSupported: false,
      maxImageSize: 0,
      verbosity: 0,
    } as never)) as unknown as PdfDocument
  } catch (error) {
    if (error instanceof Error && error.name === 'PasswordException') throw unreadable('it is protected by a password')
    throw error
  }
}

const isText = (item: unknown): item is TextItem =>
  typeof item === 'object' && item !== null && 'str' in item && typeof item.str === 'string'

const readableLines = (text: string): string => text.split('\n').map(readableArabic).join('\n')
