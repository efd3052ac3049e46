import { existsSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'

/** A link of a page that leads nowhere. */
export interface DeadLink {
  /** The page and its line, `sdk/docs/README.md:12`. */
  readonly place: string
  readonly link: string
  readonly reason: 'no such file' | 'no such heading' | 'not in the package'
}

/** What is not written by hand, or belongs to a machine. */
const skipped = /^(?:node_modules|dist|\..*)$/

/** The pages in Markdown below a folder, relative to it, in order. */
export async function listPages(root: string, folder = ''): Promise<readonly string[]> {
  const entries = await readdir(path.join(root, folder), { withFileTypes: true })
  const pages = await Promise.all(
    entries.map(async (entry) => {
      const place = path.posix.join(folder, entry.name)
      if (entry.isDirectory()) return skipped.test(entry.name) ? [] : listPages(root, place)
      return entry.isFile() && entry.name.endsWith('.md') ? [place] : []
    }),
  )
  return pages.flat().sort()
}

/**
 * The relative links of pages that lead to no file, or to no heading of a page. `packed`: folders and files that a package
 * takes along, by the folder of the package; a link from one of them to anything else is dead for a reader of the package.
 */
export async function findDeadLinks(
  root: string,
  pages: readonly string[],
  packed: Readonly<Record<string, readonly string[]>> = {},
): Promise<readonly DeadLink[]> {
  const headings = new Map<string, Promise<ReadonlySet<string>>>()
  const headingsOf = (page: string): Promise<ReadonlySet<string>> => {
    const known = headings.get(page) ?? readFile(path.join(root, page), 'utf8').then(anchorsOf)
    headings.set(page, known)
    return known
  }
  const found = await Promise.all(
    pages.map(async (page) => {
      const links = linksOf(await readFile(path.join(root, page), 'utf8'))
      const problems = await Promise.all(
        links.map(async ({ line, link }) => {
          const reason = await problemOf({ root, page, link, packed, headingsOf })
          return reason === undefined ? [] : [{ place: `${page}:${line}`, link, reason }]
        }),
      )
      return problems.flat()
    }),
  )
  return found.flat()
}

interface CheckedLink {
  readonly root: string
  readonly page: string
  readonly link: string
  readonly packed: Readonly<Record<string, readonly string[]>>
  headingsOf(page: string): Promise<ReadonlySet<string>>
}

async function problemOf({ root, page, link, packed, headingsOf }: CheckedLink): Promise<DeadLink['reason'] | undefined> {
  const [file = '', anchor] = link.split('#')
  const target = file === '' ? page : path.posix.join(path.posix.dirname(page), decodeURIComponent(file))
  if (target.startsWith('../') || !existsSync(path.join(root, target))) return 'no such file'
  if (leavesPackage(page, target, packed)) return 'not in the package'
  if (anchor === undefined || !target.endsWith('.md')) return undefined
  return (await headingsOf(target)).has(decodeURIComponent(anchor)) ? undefined : 'no such heading'
}

function leavesPackage(page: string, target: string, packed: Readonly<Record<string, readonly string[]>>): boolean {
  const isIn = (place: string, [folder, members]: readonly [string, readonly string[]]): boolean =>
    members.some((member) => place === `${folder}/${member}` || place.startsWith(`${folder}/${member}/`))
  const home = Object.entries(packed).find((each) => isIn(page, each))
  return home !== undefined && !isIn(target, home)
}

/** The lines of a page that are text: none of a block of code, and nothing between backquotes. */
function textLines(page: string): readonly string[] {
  let fence: string | undefined
  return page.split('\n').map((line) => {
    const [, mark] = /^\s*(?:>\s*)*(`{3,}|~{3,})/.exec(line) ?? []
    if (mark === undefined) return fence === undefined ? line : ''
    if (fence === undefined) fence = mark
    else if (mark.startsWith(fence)) fence = undefined
    return ''
  })
}

function linksOf(page: string): readonly { readonly line: number; readonly link: string }[] {
  return textLines(page).flatMap((text, index) => {
    // A link's own words may be code; code that looks like a link is none.
    const plain = text.replaceAll(/(`+)(?!`).*?[^`]\1(?!`)/g, 'code')
    const links = [...plain.matchAll(/\]\(<?([^)\s>]+)>?(?:\s+"[^"]*")?\)|^\s*\[[^\]]+\]:\s+(\S+)/g)].map(
      ([, inline, below]) => inline ?? below,
    )
    return links.flatMap((link) => (link === undefined || /^(?:[a-z][a-z\d+.-]*:|\/)/i.test(link) ? [] : [{ line: index + 1, link }]))
  })
}

/** The anchors of a page's headings, as GitHub makes them: lower case, without signs, `-` for each space, a number behind a repeated one. */
export function anchorsOf(page: string): ReadonlySet<string> {
  const anchors = new Set<string>()
  for (const line of textLines(page)) {
    const [, heading] = /^ {0,3}#{1,6}\s+(.*?)(?:\s+#+)?\s*$/.exec(line) ?? []
    if (heading === undefined) continue
    const words = heading.replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1').toLowerCase()
    const anchor = words.replaceAll(/[^\p{L}\p{M}\p{N}\p{Pc}\- ]/gu, '').replaceAll(' ', '-')
    let count = 0
    while (anchors.has(count === 0 ? anchor : `${anchor}-${count}`)) count += 1
    anchors.add(count === 0 ? anchor : `${anchor}-${count}`)
  }
  return anchors
}
