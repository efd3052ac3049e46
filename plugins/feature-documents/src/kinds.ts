/** The formats that are read. */
export type DocumentKind =
  | 'pdf'
  | 'docx'
  | 'xlsx'
  | 'pptx'
  | 'odt'
  | 'ods'
  | 'odp'
  | 'epub'
  | 'rtf'
  | 'html'
  | 'email'
  | 'image'
  | 'csv'
  | 'json'
  | 'markdown'
  | 'text'

const office = 'application/vnd.openxmlformats-officedocument.'
const oasis = 'application/vnd.oasis.opendocument.'

/** The media type of each; of an image, its own is used. */
export const mediaTypes: Readonly<Record<DocumentKind, string>> = {
  pdf: 'application/pdf',
  docx: `${office}wordprocessingml.document`,
  xlsx: `${office}spreadsheetml.sheet`,
  pptx: `${office}presentationml.presentation`,
  odt: `${oasis}text`,
  ods: `${oasis}spreadsheet`,
  odp: `${oasis}presentation`,
  epub: 'application/epub+zip',
  rtf: 'application/rtf',
  html: 'text/html',
  email: 'message/rfc822',
  image: 'image/*',
  csv: 'text/csv',
  json: 'application/json',
  markdown: 'text/markdown',
  text: 'text/plain',
}

const endings: Readonly<Record<string, DocumentKind>> = {
  ...{ pdf: 'pdf', docx: 'docx', docm: 'docx', xlsx: 'xlsx', xlsm: 'xlsx', pptx: 'pptx', pptm: 'pptx', odt: 'odt', ods: 'ods', odp: 'odp' },
  ...{ epub: 'epub', rtf: 'rtf', html: 'html', htm: 'html', xhtml: 'html', eml: 'email', csv: 'csv', json: 'json', md: 'markdown' },
  ...{ markdown: 'markdown', txt: 'text', text: 'text', log: 'text', xml: 'text', yaml: 'text', yml: 'text', tsv: 'text' },
  ...{ jpg: 'image', jpeg: 'image', png: 'image', gif: 'image', webp: 'image', tif: 'image', tiff: 'image', heic: 'image', avif: 'image' },
  ...{ bmp: 'image', svg: 'image', ico: 'image' },
}

const otherTypes: Readonly<Record<string, DocumentKind>> = {
  'application/xhtml+xml': 'html',
  'text/rtf': 'rtf',
  'application/x-pdf': 'pdf',
  'application/xml': 'text',
}

/** By the ending of a name. */
export function kindByName(name: string | undefined): DocumentKind | undefined {
  const ending = /\.([a-z\d]{1,10})$/i.exec(name ?? '')?.[1]?.toLowerCase() ?? ''
  return Object.hasOwn(endings, ending) ? endings[ending] : undefined
}

/** By a media type, with or without parameters. */
export function kindByMediaType(mediaType: string | undefined): DocumentKind | undefined {
  const bare = mediaType?.split(';')[0]?.trim().toLowerCase() ?? ''
  const kind = (Object.keys(mediaTypes) as DocumentKind[]).find((candidate) => mediaTypes[candidate] === bare)
  if (kind) return kind
  if (Object.hasOwn(otherTypes, bare)) return otherTypes[bare]
  if (bare.startsWith('image/')) return 'image'
  return bare.startsWith('text/') || bare.endsWith('+json') || bare.endsWith('+xml') ? 'text' : undefined
}
