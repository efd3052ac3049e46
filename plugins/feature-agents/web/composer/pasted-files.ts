/** What of a paste becomes files of the message. */
export interface Pasted {
  readonly files: readonly File[]
  /** Whether the text beside them goes into the field. */
  readonly hasText: boolean
  /** Pictures of what is pasted as text, such as of cells. They are attached only if the person wants them. */
  readonly pictures: readonly File[]
}

/**
 * Text beats pictures: office programs put a picture of the copied cells or words beside them. Files of a
 * file manager come with their names or paths as text, and a picture of a page with its address: there the
 * files are meant.
 */
export function readPaste(data: Pick<DataTransfer, 'files' | 'types' | 'getData'>): Pasted {
  const files = [...data.files]
  const text = data.getData('text/plain').trim()
  const html = data.getData('text/html')
  const areFilesMeant = !hasWords(html) && (hasPicture(html) || namesFiles(text, files))
  if (files.length === 0 || text === '' || areFilesMeant) return { files, hasText: false, pictures: [] }
  const isPicture = ({ type }: File): boolean => type.startsWith('image/')
  return { files: files.filter((file) => !isPicture(file)), hasText: true, pictures: files.filter(isPicture) }
}

/** Whether every line is the name, the path or the address of one of the files. Some systems begin with the word `copy`. */
function namesFiles(text: string, files: readonly File[]): boolean {
  const names = new Set(files.map(({ name }) => name.normalize()))
  const lines = text.split(/\r?\n/).filter((line, index) => line.trim() !== '' && !(index === 0 && /^(copy|cut)$/.test(line)))
  if (lines.length === 0) return false
  return lines.every((line) => names.has(nameIn(line.trim()).normalize())) || (lines.length === 1 && isPictureAddress(lines[0] ?? ''))
}

/** Programs for screenshots put beside the picture where they saved it, browsers where it came from. */
const isPictureAddress = (line: string): boolean =>
  /^["']?(\/|~\/|[a-z]:\\|(file|https?):\/\/).*\.(png|jpe?g|gif|webp|bmp|tiff?|avif|heic)(\?\S*)?["']?$/i.test(line.trim())

/** The last part of a path, decoded where it is an address. */
function nameIn(line: string): string {
  const name =
    line
      .replace(/^["']|["']$/g, '')
      .split(/[\\/]/)
      .at(-1) ?? ''
  if (!line.startsWith('file:')) return name
  try {
    return decodeURIComponent(name)
  } catch {
    return name
  }
}

const hasPicture = (html: string): boolean => /<img\b/i.test(html)

/** Whether the markup says something: then it was copied as text, even if that is the address of a picture. It never comes into the page. */
const hasWords = (html: string): boolean =>
  html
    .replace(/<!--.*?-->|<(style|script|title)\b.*?<\/\1>|<[^>]*>/gis, '')
    .replaceAll('&nbsp;', ' ')
    .trim() !== ''
