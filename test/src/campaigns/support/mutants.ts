import ts from 'typescript'

/** One change of a program that a test should notice. */
export interface Mutant {
  /** Of the compiled file, from 0. */
  readonly start: number
  readonly end: number
  readonly replacement: string
}

const swapped: ReadonlyMap<ts.SyntaxKind, string> = new Map([
  [ts.SyntaxKind.EqualsEqualsEqualsToken, '!=='],
  [ts.SyntaxKind.ExclamationEqualsEqualsToken, '==='],
  [ts.SyntaxKind.LessThanToken, '<='],
  [ts.SyntaxKind.LessThanEqualsToken, '<'],
  [ts.SyntaxKind.GreaterThanToken, '>='],
  [ts.SyntaxKind.GreaterThanEqualsToken, '>'],
  [ts.SyntaxKind.AmpersandAmpersandToken, '||'],
  [ts.SyntaxKind.BarBarToken, '&&'],
  [ts.SyntaxKind.PlusToken, '-'],
  [ts.SyntaxKind.MinusToken, '+'],
  [ts.SyntaxKind.PlusEqualsToken, '-='],
  [ts.SyntaxKind.MinusEqualsToken, '+='],
])

/**
 * Every change of a compiled module that this tool knows: operators, conditions, literals, calls
 * that are left out, values that are not returned.
 */
export function mutantsOf(code: string): readonly Mutant[] {
  const file = ts.createSourceFile('module.js', code, ts.ScriptTarget.Latest, true, ts.ScriptKind.JS)
  const mutants: Mutant[] = []
  const add = (node: ts.Node, replacement: string): void => {
    mutants.push({ start: node.getStart(file), end: node.getEnd(), replacement })
  }
  const visit = (node: ts.Node): void => {
    if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) return
    mutate(node, add)
    ts.forEachChild(node, visit)
  }
  visit(file)
  return mutants
}

function mutate(node: ts.Node, add: (node: ts.Node, replacement: string) => void): void {
  if (ts.isBinaryExpression(node)) {
    const other = swapped.get(node.operatorToken.kind)
    if (other !== undefined && !isText(node.left) && !isText(node.right)) add(node.operatorToken, other)
    if (node.operatorToken.kind === ts.SyntaxKind.QuestionQuestionToken) add(node, `(${node.right.getText()})`)
  } else if (ts.isPrefixUnaryExpression(node) && node.operator === ts.SyntaxKind.ExclamationToken) add(node, node.operand.getText())
  else if (ts.isIfStatement(node)) {
    add(node.expression, 'true')
    add(node.expression, 'false')
  } else if (ts.isConditionalExpression(node)) {
    add(node, `(${node.whenTrue.getText()})`)
    add(node, `(${node.whenFalse.getText()})`)
  } else if (ts.isExpressionStatement(node) && ts.isCallExpression(withoutAwait(node.expression))) {
    if (withoutAwait(node.expression).getFirstToken()?.kind !== ts.SyntaxKind.SuperKeyword) add(node, ';')
  } else if (ts.isReturnStatement(node) && node.expression) add(node.expression, 'undefined')
  else if (node.kind === ts.SyntaxKind.TrueKeyword) add(node, 'false')
  else if (node.kind === ts.SyntaxKind.FalseKeyword) add(node, 'true')
  else if (ts.isNumericLiteral(node)) add(node, `(${node.text} + 1)`)
}

const withoutAwait = (node: ts.Expression): ts.Expression => (ts.isAwaitExpression(node) ? node.expression : node)

const isText = (node: ts.Expression): boolean => ts.isStringLiteralLike(node) || ts.isTemplateExpression(node)
