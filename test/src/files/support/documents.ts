import { storedZip } from '../../console/support/stored-zip.js'

const packageTypes = 'http://schemas.openxmlformats.org/package/2006'
const officeTypes = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const declaration = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'

const relationships = (...targets: readonly (readonly [type: string, target: string])[]): string =>
  `${declaration}<Relationships xmlns="${packageTypes}/relationships">${targets
    .map(([type, target], index) => `<Relationship Id="r${index}" Type="${officeTypes}/${type}" Target="${target}"/>`)
    .join('')}</Relationships>`

const officePackage = (main: string, type: string, parts: Readonly<Record<string, string>>): Uint8Array =>
  storedZip(
    Object.entries({
      '[Content_Types].xml': `${declaration}<Types xmlns="${packageTypes}/content-types"><Default Extension="xml" ContentType="application/xml"/><Override PartName="/${main}" ContentType="application/vnd.openxmlformats-officedocument.${type}.main+xml"/></Types>`,
      '_rels/.rels': relationships(['officeDocument', main]),
      ...parts,
    }).map(([name, content]) => ({ name, content })),
  )

/** A text document (DOCX) of these paragraphs. */
export function docxOf(...paragraphs: readonly string[]): Uint8Array {
  const body = paragraphs.map((text) => `<w:p><w:r><w:t>${text}</w:t></w:r></w:p>`).join('')
  return officePackage('word/document.xml', 'wordprocessingml.document', {
    'word/document.xml': `${declaration}<w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:body>${body}</w:body></w:document>`,
  })
}

/** A workbook (XLSX) with one sheet of these rows. */
export function xlsxOf(sheet: string, rows: readonly (readonly (string | number)[])[]): Uint8Array {
  const cellOf = (value: string | number, at: string): string =>
    typeof value === 'number' ? `<c r="${at}"><v>${value}</v></c>` : `<c r="${at}" t="inlineStr"><is><t>${value}</t></is></c>`
  const data = rows
    .map(
      (row, line) => `<row r="${line + 1}">${row.map((value, column) => cellOf(value, `${'ABCDEF'[column]}${line + 1}`)).join('')}</row>`,
    )
    .join('')
  return officePackage('xl/workbook.xml', 'spreadsheetml.sheet', {
    'xl/workbook.xml': `${declaration}<workbook xmlns:r="${officeTypes}"><sheets><sheet name="${sheet}" sheetId="1" r:id="r0"/></sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': relationships(['worksheet', 'worksheets/sheet1.xml']),
    'xl/worksheets/sheet1.xml': `${declaration}<worksheet><sheetData>${data}</sheetData></worksheet>`,
  })
}

/** A PDF of one page with these lines. */
export function pdfOf(...lines: readonly string[]): Uint8Array {
  const content = lines.map((line, index) => `BT /F1 12 Tf 72 ${720 - index * 14} Td (${line}) Tj ET`).join('\n')
  const objects = [
    '<</Type/Catalog/Pages 2 0 R>>',
    '<</Type/Pages/Kids[3 0 R]/Count 1>>',
    '<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]/Contents 4 0 R/Resources<</Font<</F1 5 0 R>>>>>>',
    `<</Length ${content.length}>>stream\n${content}\nendstream`,
    '<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>',
  ]
  let text = '%PDF-1.4\n'
  let table = `0000000000 65535 f \n`
  for (const [index, object] of objects.entries()) {
    table += `${String(text.length).padStart(10, '0')} 00000 n \n`
    text += `${index + 1} 0 obj\n${object}\nendobj\n`
  }
  const end = `trailer\n<</Size ${objects.length + 1}/Root 1 0 R>>\nstartxref\n${text.length}\n%%EOF\n`
  return Buffer.from(`${text}xref\n0 ${objects.length + 1}\n${table}${end}`, 'latin1')
}
