import { failure } from './failure.mjs'

/**
 * Splits a command line into `words` and the options in `names` (`--name=value`; `--name` alone
 * means `true`). An option that is not in `names` is an error with status 2.
 */
export function parseOptions(args, names) {
  const options = { words: [] }
  for (const argument of args) {
    const match = /^--([a-z-]+)(?:=(.*))?$/s.exec(argument)
    if (match === null) options.words.push(argument)
    else if (names.includes(match[1])) options[match[1]] = match[2] ?? 'true'
    else throw failure(`unknown option --${match[1]}`, { mend: `Options: ${names.map((name) => `--${name}`).join(', ')}`, status: 2 })
  }
  return options
}
