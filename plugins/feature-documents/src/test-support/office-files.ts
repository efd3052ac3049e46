import { strToU8, zipSync } from 'fflate'

type Parts = Readonly<Record<string, string | Uint8Array>>

/** A zip archive of texts and bytes. */
export const zipOf = (parts: Parts): Uint8Array =>
  zipSync(Object.fromEntries(Object.entries(parts).map(([name, part]) => [name, typeof part === 'string' ? strToU8(part) : part])))

const declaration = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
const relationshipTypes = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'

/** A file of relationships: type and target by id. */
const relationships = (all: Readonly<Record<string, readonly [type: string, target: string]>>): string =>
  `${declaration}<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${Object.entries(all)
    .map(([id, [type, target]]) => `<Relationship Id="${id}" Type="${relationshipTypes}/${type}" Target="${target}"/>`)
    .join('')}</Relationships>`

const contentTypes = (part: string, type: string): string =>
  `${declaration}<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="xml" ContentType="application/xml"/><Override PartName="/${part}" ContentType="application/vnd.openxmlformats-officedocument.${type}.main+xml"/></Types>`

const core = `${declaration}<cp:coreProperties xmlns:cp="http://schemas.openxmlformats.org/package/2006/metadata/core-properties" xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:title>Yearly report</dc:title><dc:creator>Ada</dc:creator></cp:coreProperties>`

/** A text document with this body. */
export const docxOf = (body: string, more: Parts = {}): Uint8Array =>
  zipOf({
    '[Content_Types].xml': contentTypes('word/document.xml', 'wordprocessingml.document'),
    '_rels/.rels': relationships({ r1: ['officeDocument', 'word/document.xml'] }),
    'docProps/core.xml': core,
    'word/_rels/document.xml.rels': relationships({ s: ['styles', 'styles.xml'], f: ['footnotes', 'footnotes.xml'] }),
    'word/styles.xml': `<w:styles xmlns:w="${word}"><w:style w:type="paragraph" w:styleId="Heading1"><w:name w:val="heading 1"/></w:style></w:styles>`,
    'word/document.xml': `${declaration}<w:document xmlns:w="${word}"><w:body>${body}</w:body></w:document>`,
    ...more,
  })

export const word = 'http://schemas.openxmlformats.org/wordprocessingml/2006/main'
export const paragraph = (text: string, style?: string): string =>
  `<w:p>${style === undefined ? '' : `<w:pPr><w:pStyle w:val="${style}"/></w:pPr>`}<w:r><w:t>${text}</w:t></w:r></w:p>`

/** A workbook of one sheet with this data; further sheets are the same one again. */
export const xlsxOf = (
  data: string,
  { texts = '', styles = '', sheets = 1 }: { readonly texts?: string; readonly styles?: string; readonly sheets?: number } = {},
): Uint8Array =>
  zipOf({
    '[Content_Types].xml': contentTypes('xl/workbook.xml', 'spreadsheetml.sheet'),
    '_rels/.rels': relationships({ r1: ['officeDocument', 'xl/workbook.xml'] }),
    'docProps/core.xml': core,
    'xl/workbook.xml': `${declaration}<workbook xmlns:r="${relationshipTypes}"><sheets>${Array.from(
      { length: sheets },
      (_, index) => `<sheet name="Sheet ${index + 1}" sheetId="${index + 1}" r:id="r1"/>`,
    ).join('')}</sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': relationships({
      r1: ['worksheet', 'worksheets/sheet1.xml'],
      r2: ['sharedStrings', 'sharedStrings.xml'],
      r3: ['styles', '/xl/styles.xml'],
    }),
    'xl/sharedStrings.xml': `<sst>${texts}</sst>`,
    'xl/styles.xml': `<styleSheet>${styles}</styleSheet>`,
    'xl/worksheets/sheet1.xml': `<worksheet><sheetData>${data}</sheetData></worksheet>`,
  })

/** A presentation of one slide with these shapes, and the speaker's notes. */
export const pptxOf = (shapes: string, notes: string): Uint8Array =>
  zipOf({
    '[Content_Types].xml': contentTypes('ppt/presentation.xml', 'presentationml.presentation'),
    '_rels/.rels': relationships({ r1: ['officeDocument', 'ppt/presentation.xml'] }),
    'ppt/presentation.xml': `<p:presentation xmlns:p="p" xmlns:r="r"><p:sldIdLst><p:sldId id="256" r:id="r7"/></p:sldIdLst></p:presentation>`,
    'ppt/_rels/presentation.xml.rels': relationships({ r7: ['slide', 'slides/slide1.xml'] }),
    'ppt/slides/slide1.xml': `<p:sld xmlns:p="p" xmlns:a="a"><p:spTree>${shapes}</p:spTree></p:sld>`,
    'ppt/slides/_rels/slide1.xml.rels': relationships({ r1: ['notesSlide', '../notesSlides/notesSlide1.xml'] }),
    'ppt/notesSlides/notesSlide1.xml': `<p:notes xmlns:p="p" xmlns:a="a">${shapeOf('body', notes)}</p:notes>`,
  })

/** A shape of a slide, with a paragraph for each text; a leading tab makes it one level deeper. */
export const shapeOf = (place: string, ...texts: readonly string[]): string =>
  `<p:sp><p:nvSpPr><p:nvPr><p:ph type="${place}"/></p:nvPr></p:nvSpPr><p:txBody>${texts
    .map((text) => `<a:p><a:pPr lvl="${text.startsWith('\t') ? 1 : 0}"/><a:r><a:t>${text.trim()}</a:t></a:r></a:p>`)
    .join('')}</p:txBody></p:sp>`

/** A document of LibreOffice. */
export const openDocumentOf = (type: 'text' | 'spreadsheet' | 'presentation', body: string): Uint8Array =>
  zipOf({
    mimetype: `application/vnd.oasis.opendocument.${type}`,
    'META-INF/manifest.xml': '<manifest:manifest xmlns:manifest="m"/>',
    'meta.xml':
      '<office:document-meta xmlns:office="o" xmlns:dc="d"><dc:title>Plan</dc:title><dc:creator>Bob</dc:creator></office:document-meta>',
    'content.xml': `<office:document-content xmlns:office="o" xmlns:text="t" xmlns:table="b" xmlns:draw="d" xmlns:presentation="p"><office:body>${body}</office:body></office:document-content>`,
  })

export const epubOf = (chapters: readonly string[]): Uint8Array =>
  zipOf({
    mimetype: 'application/epub+zip',
    'META-INF/container.xml': '<container><rootfiles><rootfile full-path="OEBPS/book.opf"/></rootfiles></container>',
    'OEBPS/book.opf': `<package xmlns:dc="d"><metadata><dc:title>A book</dc:title><dc:creator>Ada</dc:creator></metadata><manifest>${chapters
      .map((_, index) => `<item id="c${index}" href="chapter%20${index}.xhtml"/>`)
      .join('')}</manifest><spine>${chapters.map((_, index) => `<itemref idref="c${index}"/>`).join('')}</spine></package>`,
    ...Object.fromEntries(chapters.map((text, index) => [`OEBPS/chapter ${index}.xhtml`, `<html><body>${text}</body></html>`])),
  })
