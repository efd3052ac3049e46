import { Buffer } from 'node:buffer'
import type { FilePart, ImagePart } from '@agent-service/sdk/contracts/provider-adapter'
import { filled, type Language, type Scene } from './scene.js'

const words = {
  en: {
    one: 'I have your file: {file}.',
    many: 'I have your {count} files:\n\n{files}',
    more: 'What is in it, a model tells you: summaries, translations, sums over a table, or what a picture shows.',
    picture: 'a picture',
    lines: '{count} lines',
  },
  de: {
    one: 'Deine Datei ist da: {file}.',
    many: 'Deine {count} Dateien sind da:\n\n{files}',
    more: 'Was darin steht, sagt dir ein Modell: Zusammenfassungen, Übersetzungen, Summen einer Tabelle oder was auf einem Bild zu sehen ist.',
    picture: 'ein Bild',
    lines: '{count} Zeilen',
  },
}

const kinds: Readonly<Record<string, string>> = {
  'application/pdf': 'PDF',
  'image/gif': 'GIF',
  'image/jpeg': 'JPEG',
  'image/png': 'PNG',
  'image/webp': 'WebP',
  'text/csv': 'CSV',
  'text/html': 'HTML',
  'text/markdown': 'Markdown',
  'text/plain': 'Text',
}

/** Names what is attached, with its type and size. */
export const attachedFile: Scene = {
  fits: ({ attached, written }) =>
    attached.last.length > 0 || (attached.all.length > 0 && /\b(file|files|attachment|picture|datei|dateien|anhang|bild)\b/i.test(written)),
  next({ attached, language }) {
    const texts = words[language]
    const files = attached.last.length > 0 ? attached.last : attached.all
    const [only] = files
    const found =
      files.length === 1 && only
        ? filled(texts.one, { file: described(only, language) })
        : filled(texts.many, { count: String(files.length), files: files.map((file) => `- ${described(file, language)}`).join('\n') })
    return { say: `${found}\n\n${texts.more}` }
  },
}

function described(file: FilePart | ImagePart, language: Language): string {
  const { media_type: type, data } = file
  const texts = words[language]
  const bytes = data === undefined ? undefined : Buffer.from(data, 'base64')
  const name = file.type === 'file' ? `**${file.name.replace(/[\\*_[\]<>`]/g, '\\$&')}**` : texts.picture
  const lines = bytes !== undefined && type.startsWith('text/') ? [filled(texts.lines, { count: String(linesOf(bytes)) })] : []
  const facts = [kinds[type] ?? type, ...(bytes === undefined ? [] : [sizeText(bytes.length, language)]), ...lines]
  return `${name} (${facts.join(', ')})`
}

const linesOf = (bytes: Buffer): number => bytes.toString().replace(/\n$/, '').split('\n').length

const sizeText = (bytes: number, language: Language): string =>
  bytes < 1_000
    ? `${bytes} ${language === 'de' ? 'Bytes' : 'bytes'}`
    : `${new Intl.NumberFormat(language, { maximumFractionDigits: 1 }).format(bytes / (bytes < 1_000_000 ? 1_000 : 1_000_000))} ${bytes < 1_000_000 ? 'kB' : 'MB'}`
