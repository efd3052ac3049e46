import { readFileSync } from 'node:fs'
import path from 'node:path'
import ts from 'typescript'
import { listFiles, listWorkspaces } from './workspaces.mjs'

/** The files that were parsed in this process, by path: several checks read the same sources. */
const parsed = new Map()

/**
 * The TypeScript sources of every workspace, parsed one after the other: `file` is relative to the
 * root, with forward slashes.
 */
export function* readSources(root, accept = () => true) {
  for (const workspace of listWorkspaces(root)) {
    for (const file of listFiles(root, workspace, (name) => /\.[cm]?tsx?$/.test(name) && accept(name))) {
      yield { file, workspace, source: parse(root, file) }
    }
  }
}

function parse(root, file) {
  const location = path.join(root, file)
  const known = parsed.get(location)
  if (known !== undefined) return known
  const source = parseSource(root, file)
  parsed.set(location, source)
  return source
}

/** A TypeScript source, parsed; `file` is relative to the root. */
export function parseSource(root, file) {
  return ts.createSourceFile(file, readFileSync(path.join(root, file), 'utf8'), ts.ScriptTarget.Latest, true)
}

/** Calls `visit` for every node of a tree, parents first. */
export function visitAll(node, visit) {
  visit(node)
  ts.forEachChild(node, (child) => visitAll(child, visit))
}

/** `file:line:column` of a node. */
export function locate(source, node) {
  const { line, character } = source.getLineAndCharacterOfPosition(node.getStart(source))
  return `${source.fileName}:${line + 1}:${character + 1}`
}

/** The modules that a file names in imports, exports and `import()`, including types, in order. */
export function listSpecifiers(source) {
  const found = []
  visitAll(source, (node) => {
    const specifier = specifierOf(node)
    if (specifier !== undefined && ts.isStringLiteralLike(specifier)) found.push({ text: specifier.text, node: specifier })
  })
  return found
}

function specifierOf(node) {
  if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) return node.moduleSpecifier
  if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword) return node.arguments[0]
  if (ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument)) return node.argument.literal
  return undefined
}
