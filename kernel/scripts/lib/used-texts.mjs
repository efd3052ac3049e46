import path from 'node:path'
import ts from 'typescript'
import { listSpecifiers, visitAll } from './source-files.mjs'

/**
 * What the sources of a `web` folder use of its catalogues: a problem for each group that no module imports or that two do, and for
 * each key that nothing uses. A key is used where it is written, as a string or a name, or where a template fits it, such as
 * `tab_${name}`: in the module that imports its group, and in those that import that module. A string in what these import counts
 * too, since states and kinds are keys. `all` are the sources of every package, which may use texts that a folder exports.
 */
export function findUnusedTexts(catalogue, sources, all) {
  const modules = modulesOfGroups(sources)
  const byFile = new Map(sources.map((source) => [source.file, source]))
  return Object.entries(catalogue).flatMap(([group, texts]) => {
    const [file, ...others] = modules.get(group) ?? []
    if (file === undefined) return [`${group}: no module imports the group; remove it in every language`]
    if (others.length > 0) return [`${group}: is imported by ${file} and ${others.join(', ')}; import “t” of one of them in the others`]
    const users = [...usersOf(file, sources), ...usersOfExports(file, sources, all)]
    const words = [...users.flatMap(wordsOf), ...reachedFrom(users, byFile).flatMap(stringsOf)]
    return Object.keys(texts)
      .filter((key) => !words.some((word) => (typeof word === 'string' ? word === key : word.test(key))))
      .map((key) => `${group}.${key}: no source uses it; remove it in every language`)
  })
}

/** The modules that import each group, in English. */
function modulesOfGroups(sources) {
  const modules = new Map()
  for (const { file, source } of sources) {
    for (const statement of source.statements) {
      if (!ts.isImportDeclaration(statement) || !statement.moduleSpecifier.text.endsWith('/texts/en.json')) continue
      for (const { name, propertyName } of statement.importClause?.namedBindings?.elements ?? []) {
        const group = (propertyName ?? name).text
        modules.set(group, [...(modules.get(group) ?? []), file])
      }
    }
  }
  return modules
}

/** The files that a source may mean by its relative imports. */
const importsOf = ({ file, source }) =>
  listSpecifiers(source)
    .filter(({ text }) => text.startsWith('.'))
    .map(({ text }) => placeOf(file, text))
    .flatMap((target) => [target, target.replace(/\.ts$/, '.tsx')])

const placeOf = (file, specifier) => path.posix.join(path.posix.dirname(file), specifier).replace(/\.js$/, '.ts')

const usersOf = (file, sources) => sources.filter((source) => source.file === file || importsOf(source).includes(file))

/** The sources of any package with a name under which the texts of a module are exported again. */
function usersOfExports(file, sources, all) {
  const names = usersOf(file, sources).flatMap((user) =>
    user.source.statements
      .filter((statement) => ts.isExportDeclaration(statement) && placeOf(user.file, statement.moduleSpecifier?.text ?? '') === file)
      .flatMap((statement) => statement.exportClause?.elements?.map(({ name }) => name.text) ?? []),
  )
  return all.filter(({ source }) => names.some((name) => source.text.includes(name)))
}

/** What sources import, and what that imports, within their folder. */
function reachedFrom(users, byFile) {
  const reached = new Set(users)
  for (const each of reached) for (const target of importsOf(each)) if (byFile.has(target)) reached.add(byFile.get(target))
  return [...reached].filter((each) => !users.includes(each))
}

/** Everything in a source that may be a key. */
function wordsOf({ source }) {
  const words = []
  visitAll(source, (node) => {
    if (ts.isStringLiteralLike(node) || ts.isIdentifier(node)) words.push(node.text)
    if (ts.isTemplateExpression(node)) words.push(...patternOf(node))
  })
  return words
}

function stringsOf({ source }) {
  const words = []
  visitAll(source, (node) => void (ts.isStringLiteralLike(node) && words.push(node.text)))
  return words
}

/** Fits what a template makes. One that says nothing of its beginning or end could make anything. */
function patternOf({ head, templateSpans }) {
  const fixed = [head.text, ...templateSpans.map(({ literal }) => literal.text)]
  if (!/^[\w-]{2,}/.test(head.text) && !/[\w-]{2,}$/.test(fixed.at(-1))) return []
  return [new RegExp(`^${fixed.map((text) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('.+')}$`)]
}
