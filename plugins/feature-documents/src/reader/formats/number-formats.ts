import type { Archive } from '../archives/archive.js'
import { attributeOf, readXml } from '../archives/read-xml.js'

/** Formats of dates and times that every spreadsheet has, by their numbers. */
const isBuiltInDate = (id: number): boolean =>
  (id >= 14 && id <= 22) || (id >= 27 && id <= 36) || (id >= 45 && id <= 47) || (id >= 50 && id <= 58)

/** Whether a format shows a date or a time: it has such a letter outside of texts, colours and escapes. */
export const isDateFormat = (code: string): boolean =>
  /[dmyhs]/i.test(
    code
      .slice(0, 500)
      .replaceAll(/"[^"]*"|\\.|_.|\*./g, '')
      .replaceAll(/\[(?!h+\]|m+\]|s+\])[^\]]*\]/gi, ''),
  ) && !/^general$/i.test(code)

/** Which styles of cells show dates, by their positions. */
export async function dateStyles(archive: Archive, part: string | undefined): Promise<readonly boolean[]> {
  const content = part === undefined ? undefined : await archive.open(part)
  if (!content) return []
  const custom = new Map<number, boolean>()
  const styles: boolean[] = []
  let inCells = false
  await readXml(content, {
    open(name, attributes) {
      const id = Number(attributeOf(attributes, 'numFmtId'))
      if (name === 'numFmt') custom.set(id, isDateFormat(attributeOf(attributes, 'formatCode') ?? ''))
      else if (name === 'cellXfs') inCells = true
      else if (name === 'xf' && inCells && styles.length < 100_000) styles.push(custom.get(id) ?? isBuiltInDate(id))
    },
    close(name) {
      if (name === 'cellXfs') inCells = false
    },
  })
  return styles
}

const dayMs = 86_400_000

/** A number of days as a date, a time or both. Undefined: it is out of range. */
export function dateText(days: number, { since1904 }: { readonly since1904: boolean }): string | undefined {
  if (!Number.isFinite(days) || days < 0 || days > 2_958_466) return undefined
  // The 29th of February 1900, which there never was, is day 60.
  const shifted = since1904 ? days + 1_462 : days < 60 ? days + 1 : days
  const moment = new Date(Math.round(((shifted - 25_569) * dayMs) / 1_000) * 1_000).toISOString()
  const time = moment.slice(11, 19)
  if (days < 1 && !since1904) return time
  return Number.isInteger(days) ? moment.slice(0, 10) : `${moment.slice(0, 10)} ${time}`
}
