import { existsSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'

/** Texts of one language: groups of messages by key. */
export type Catalogue = Readonly<Record<string, Readonly<Record<string, string>>>>

/** The languages that the console has: each catalogue exists in all of them. The first is the one that others are compared with. */
export const consoleLanguages = ['en', 'de'] as const

/** The name of the file of a language, such as `pt-BR.json`. */
export const catalogueName = /^([a-z]{2,3}(?:-[A-Za-z0-9]{2,8})*)\.json$/

/** What `web/texts` has: the catalogues that could be read, and what is wrong with files. */
export interface Catalogues {
  /** By language. */
  readonly found: ReadonlyMap<string, Catalogue>
  readonly problems: readonly string[]
}

/** Reads the catalogues of a `web` folder; `undefined` if it has none, which is allowed. */
export async function readCatalogues(webFolder: string): Promise<Catalogues | undefined> {
  const folder = path.join(webFolder, 'texts')
  if (!existsSync(folder)) return undefined
  const found = new Map<string, Catalogue>()
  const problems: string[] = []
  for (const name of (await readdir(folder)).sort()) {
    const language = catalogueName.exec(name)?.[1]
    if (language === undefined) {
      problems.push(`web/texts/${name} is no catalogue; name it after its language, such as “de.json”, or put it elsewhere.`)
      continue
    }
    const value = await readJson(path.join(folder, name))
    const wrong = value instanceof Error ? `is no JSON (${value.message})` : wrongShape(value)
    if (wrong === undefined) found.set(language, value as Catalogue)
    else problems.push(`web/texts/${name} ${wrong}; write { "group": { "key": "text" } }.`)
  }
  return { found, problems }
}

/** A catalogue, for a build that needs one group of it. @throws if it is no catalogue */
export async function readCatalogue(file: string): Promise<Catalogue> {
  const value = await readJson(file)
  const wrong = value instanceof Error ? `cannot be read (${value.message})` : wrongShape(value)
  if (wrong !== undefined) throw new Error(`${file} ${wrong}.`)
  return value as Catalogue
}

async function readJson(file: string): Promise<unknown> {
  try {
    return JSON.parse(await readFile(file, 'utf8'))
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error))
  }
}

/** What is wrong with the form of a catalogue. Groups are names in code. */
function wrongShape(value: unknown): string | undefined {
  if (!isObject(value)) return 'is no object of groups'
  for (const [group, texts] of Object.entries(value)) {
    if (!/^[a-z][a-z0-9_]*$/.test(group) || group === 'default') return `has a group “${group}”, which is no name in snake_case`
    if (!isObject(texts)) return `has no texts by key in the group “${group}”`
    const key = Object.keys(texts).find((each) => typeof texts[each] !== 'string')
    if (key !== undefined) return `has no text at ${group}.${key}`
  }
  return undefined
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
