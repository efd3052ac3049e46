import type { Problem } from '../../core/errors.js'
import { Type } from '../../core/type.js'
import { aFunction, aLine, aName, checkShape, firstSpecVersion } from '../shape/check-shape.js'
import type { CliCommand } from './command.js'

const word = '[a-z][a-z0-9]*(-[a-z0-9]+)*'
const aWord = aName(new RegExp(`^(?=.{1,64}$)${word}$`), 'a word of lower-case letters, digits and “-”')

/** Options that every command has from the program. */
const ownOptions: ReadonlySet<string> = new Set(['help', 'json', 'url', 'username'])

const argument = Type.Object({ name: aWord, description: aLine(500), required: Type.Boolean() })
const option = Type.Object({ name: aWord, description: aLine(500), value: Type.Optional(aWord) })

const shape = Type.Object({
  specVersion: firstSpecVersion,
  name: aName(new RegExp(`^(?=.{1,129}$)${word}( ${word})?$`), 'one or two words of lower-case letters, digits and “-”'),
  summary: aLine(200),
  arguments: Type.Optional(Type.Array(argument, { maxItems: 20 })),
  options: Type.Optional(Type.Array(option, { maxItems: 50 })),
  run: aFunction,
})

/**
 * Everything that is wrong with a command, each with a JSON pointer. Empty when it can be offered
 * on the command line. Never throws.
 */
export function checkCliCommand(contribution: unknown): readonly Problem[] {
  const problems = checkShape(shape, contribution)
  return problems.length > 0 ? problems : checkAgreement(contribution as CliCommand)
}

function checkAgreement({ arguments: positional = [], options = [] }: CliCommand): readonly Problem[] {
  const firstOptional = positional.findIndex(({ required }) => !required)
  return [
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
