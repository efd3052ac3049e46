import ts from 'typescript'
import { listSpecifiers, locate, readSources, visitAll } from '../lib/source-files.mjs'

export const title = 'the kernel composes itself by explicit tokens in its own container'
export const mend =
  'Register tokens (typed constants, no classes) in the child container of composition-root.ts, and write @inject(token) on every parameter.'

/** Exports of tsyringe that make state global, hide an order or guess a token. */
const refused = new Set(['container', 'singleton', 'delay', 'autoInjectable', 'registry', 'scoped'])

/**
 * Where a process or a test run begins: may import `reflect-metadata`, before every other import.
 */
const entryPoints = /^kernel\/cli\/src\/(index|testing\/index|main|testing\/open-test-editor|composition\/(start-kernel|tokens))\.ts$/

/**
 * Only the composition root may import the global container, to create the child container from it.
 */
const compositionRoot = /^kernel\/cli\/src\/(.+\/)?composition-root\.ts$/

export async function check({ root }) {
  const problems = []
  for (const { file, source } of readSources(root)) {
    problems.push(...checkReflectMetadata(file, source))
    const imports = readContainerImports(source)
    if (imports === undefined) continue
    if (!file.startsWith('kernel/')) problems.push(`${locate(source, imports.node)} imports tsyringe, which only the kernel may`)
    problems.push(...checkImports(file, source, imports))
    visitAll(source, (node) => problems.push(...checkTokens(source, node), ...checkConstructor(source, node)))
  }
  return problems
}

function checkReflectMetadata(file, source) {
  const specifiers = listSpecifiers(source)
  const index = specifiers.findIndex(({ text }) => text === 'reflect-metadata')
  if (index === -1) return []
  const place = locate(source, specifiers[index].node)
  if (!entryPoints.test(file)) return [`${place} imports reflect-metadata, which only an entry point of the kernel may`]
  return index === 0 ? [] : [`${place} imports reflect-metadata after another module; it must come first`]
}

function readContainerImports(source) {
  const node = source.statements.find(
    (statement) =>
      ts.isImportDeclaration(statement) && ts.isStringLiteral(statement.moduleSpecifier) && statement.moduleSpecifier.text === 'tsyringe',
  )
  if (node === undefined) return undefined
  const bindings = node.importClause?.namedBindings
  return {
    node,
    names: bindings !== undefined && ts.isNamedImports(bindings) ? bindings.elements : [],
    isNamespace: bindings !== undefined && ts.isNamespaceImport(bindings),
  }
}

function checkImports(file, source, { node, names, isNamespace }) {
  if (isNamespace) return [`${locate(source, node)} imports all of tsyringe; name the imports`]
  return names
    .filter((element) => {
      const name = (element.propertyName ?? element.name).text
      return refused.has(name) && !(name === 'container' && compositionRoot.test(file))
    })
    .map((element) => `${locate(source, element)} imports ${(element.propertyName ?? element.name).text} of tsyringe`)
}

/** A class as a token: `@inject(Store)`, `child.resolve(Store)`, `child.register(Store, …)`. */
function checkTokens(source, node) {
  if (!ts.isCallExpression(node)) return []
  const name = ts.isPropertyAccessExpression(node.expression) ? node.expression.name.text : node.expression.getText(source)
  const isTokenCall = ts.isPropertyAccessExpression(node.expression)
    ? /^(resolve|resolveAll|register|registerInstance|registerSingleton|registerType|isRegistered)$/.test(name)
    : /^(inject|injectAll|injectWithTransform)$/.test(name)
  const [token] = node.arguments
  if (!isTokenCall || token === undefined || !ts.isIdentifier(token) || !/^[A-Z][A-Za-z0-9]*[a-z]/.test(token.text)) return []
  return [`${locate(source, token)} uses a class as a token: ${name}(${token.text})`]
}

function checkConstructor(source, node) {
  if (!ts.isConstructorDeclaration(node)) return []
  const decorators = ts.canHaveDecorators(node.parent) ? (ts.getDecorators(node.parent) ?? []) : []
  if (!decorators.some((decorator) => decorator.expression.getText(source).startsWith('injectable('))) return []
  return node.parameters
    .filter(
      (parameter) => !(ts.getDecorators(parameter) ?? []).some((decorator) => /^inject(All)?\(/.test(decorator.expression.getText(source))),
    )
    .map((parameter) => `${locate(source, parameter)} has no @inject(token): ${parameter.name.getText(source)}`)
}
