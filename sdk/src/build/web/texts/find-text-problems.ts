import { type Catalogue, consoleLanguages, readCatalogues } from './catalogues.js'
import { loadMessageReader, type MessageReader, type ReadMessage } from './read-message.js'

/**
 * What is wrong with the catalogues in `texts` of a plugin's `web` folder: each problem names the file, the group and the key, and how
 * to mend it. All languages have the same groups and keys, and messages that take the same values; each plural has the forms of its
 * language. A folder without catalogues has no problems.
 */
export async function findTextProblems(webFolder: string): Promise<readonly string[]> {
  const catalogues = await readCatalogues(webFolder)
  if (!catalogues) return []
  const { found, problems } = catalogues
  if (problems.length > 0) return problems
  const absent = consoleLanguages.filter((language) => !found.has(language))
  if (absent.length > 0) return absent.map((language) => `web/texts/${language}.json is missing; the console has that language.`)
  const [first, ...others] = consoleLanguages.concat([...found.keys()].filter((each) => !isOfConsole(each)) as never[])
  const read = await loadMessageReader()
  const english = readAll(found.get(first as string) ?? {}, first as string, read)
  const wrong = others.flatMap((language) => {
    const all = readAll(found.get(language) ?? {}, language, read)
    return [...all.problems, ...differences(english.messages, all.messages, language)]
  })
  return [...english.problems, ...wrong]
}

const isOfConsole = (language: string): boolean => consoleLanguages.some((each) => each === language)

interface ReadCatalogue {
  /** By `group.key`. */
  readonly messages: ReadonlyMap<string, ReadMessage>
  readonly problems: readonly string[]
}

function readAll(catalogue: Catalogue, language: string, read: MessageReader): ReadCatalogue {
  const texts = Object.entries(catalogue).flatMap(([group, keys]) =>
    Object.entries(keys).map(([key, text]) => [`${group}.${key}`, read(text, language)] as const),
  )
  const problems = texts.flatMap(([name, message]) => message.problems.map((problem) => problemAt(language, name, problem)))
  return { messages: new Map(texts), problems }
}

/** What another language has otherwise than English. */
function differences(english: ReadCatalogue['messages'], others: ReadCatalogue['messages'], language: string): readonly string[] {
  const missing = [...english.keys()].filter((name) => !others.has(name))
  const extra = [...others.keys()].filter((name) => !english.has(name))
  return [
    ...missing.map((name) => problemAt(language, name, 'is missing; translate the text of en.json')),
    ...extra.map((name) => problemAt(language, name, 'is not in en.json; add it there, or remove it here')),
    ...[...others].flatMap(([name, message]) => {
      const model = english.get(name)
      // What could not be read has been said.
      if (!model || model.problems.length > 0 || message.problems.length > 0) return []
      return valueProblems(model, message).map((problem) => problemAt(language, name, problem))
    }),
  ]
}

function valueProblems(english: ReadMessage, other: ReadMessage): readonly string[] {
  const names = [...new Set([...english.values.keys(), ...other.values.keys()])]
  return names.flatMap((name) => {
    const [model, own] = [english.values.get(name), other.values.get(name)]
    if (model === own) return []
    if (own === undefined) return [`lacks the value “{${name}}” of the English text; use it`]
    if (model === undefined) return [`has the value “{${name}}”, which the English text has not; nobody gives it`]
    return [`takes “${name}” as a ${own}, and the English text as a ${model}; write both alike`]
  })
}

const problemAt = (language: string, name: string, problem: string): string => `web/texts/${language}.json, ${name}: ${problem}.`
