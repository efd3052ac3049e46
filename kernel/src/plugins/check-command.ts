import { type Contribution, type Problem, Type, validate } from '@agent-service/sdk'
import type { CliCommand } from '@agent-service/sdk/contracts/cli-command'

const word = '[a-z][a-z0-9]*(-[a-z0-9]+)*'
const line = (maxLength: number) => Type.String({ minLength: 1, maxLength, pattern: '^[^\\r\\n]*$' })
const wordText = Type.String({ maxLength: 64, pattern: `^${word}$` })

const schema = Type.Object({
  name: Type.String({ maxLength: 129, pattern: `^${word}( ${word})?$` }),
  summary: line(200),
  arguments: Type.Array(Type.Object({ name: wordText, description: line(500), required: Type.Boolean() }), { maxItems: 20 }),
  options: Type.Array(Type.Object({ name: wordText, description: line(500), value: Type.Optional(wordText) }), { maxItems: 50 }),
})

/** Options that every command has from the program. */
const ownOptions: ReadonlySet<string> = new Set(['help', 'json', 'url', 'username'])

/** What is wrong with the definition of a command. Empty when it can be offered on the command line. */
export function checkCommand(contribution: Contribution): readonly Problem[] {
  const { name, summary, arguments: positional = [], options = [], run } = contribution as CliCommand
  const problems = validate(schema, { name, summary, arguments: positional, options })
  if (problems.length > 0) return problems
  const firstOptional = positional.findIndex(({ required }) => !required)
  return [
    ...(typeof run === 'function' ? [] : [{ path: '/run', message: 'must be a function' }]),
    ...positional.flatMap(({ required }, index) =>
      required && firstOptional >= 0 && firstOptional < index
        ? [{ path: `/arguments/${index}`, message: 'is required and stands behind one that is not' }]
        : [],
    ),
    ...options.flatMap((option, index) => optionProblem(option.name, options.slice(0, index)).map((message) => at(index, message))),
  ]
}

const at = (index: number, message: string): Problem => ({ path: `/options/${index}/name`, message })

function optionProblem(name: string, before: readonly { readonly name: string }[]): readonly string[] {
  if (ownOptions.has(name) || name.startsWith('no-')) return [`must be another one: --${name} belongs to the program`]
  return before.some((other) => other.name === name) ? ['must not be there twice'] : []
}
