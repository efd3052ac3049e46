import { visibleLine } from '@agent-service/sdk'

/** A program and its arguments, literally: there is nothing in it that a shell would do. */
export type PlainCommand = readonly [program: string, ...given: string[]]

/** Options that are out, looked for in each argument: rather one too many than one too few. */
type Refused = RegExp | undefined

/**
 * The programs of plain commands. None of them runs another program, follows instructions in a file
 * or a variable, or replaces or deletes what is in a file, whatever its options; but for those that
 * are refused beside it. GNU takes every unambiguous beginning of a long option.
 *
 * Not here, among others: `sort` (--compress-program, -o), `uniq` and `xxd` (write their second
 * argument), `date` (-s), `file` (~/.magic, -C), `jq` (~/.jq), `find`, `awk`, `sed`, `tar`, `rg`,
 * `git`, `less` (run programs), `cp`, `mv`, `rm`, `ln`, `tee`, `dd` (reach through links of the folder what they destroy
 * elsewhere), `which`, `zgrep`, `egrep` (scripts), and what runs a program that it is given.
 */
const programs: ReadonlyMap<string, Refused> = new Map<string, Refused>([
  ...['basename', 'cat', 'cmp', 'comm', 'cut', 'dirname', 'echo', 'fold', 'grep', 'head', 'join', 'ls', 'mkdir', 'nl', 'od'].map(withAll),
  ...['paste', 'printf', 'pwd', 'readlink', 'realpath', 'rmdir', 'seq', 'stat', 'tac', 'tail', 'touch'].map(withAll),
  // A list of names in a file leads where the arguments do not show it.
  ...['wc', 'du'].map((name) => [name, /^--f/] as const),
  ...['cksum', 'md5sum', 'sha1sum', 'sha256sum', 'sha512sum'].map((name) => [name, /^-[^-]*c|^--c/] as const),
  // It runs pr.
  ['diff', /^-[^-]*l|^--p/],
])

function withAll(name: string): readonly [string, Refused] {
  return [name, undefined]
}

const safe = String.raw`[\p{L}\p{M}\p{N}_./:,=+@%-]`
/** One character at a time outside of quotes, so that its time is proportional to the line. */
const word = String.raw`(?:${safe}|'[^'$\x60\\!]*'|"[^"$\x60\\!]*")+`
const line = new RegExp(`^ *[a-z0-9]+(?: +${word})* *$`, 'u')
const words = new RegExp(word, 'gu')

/**
 * The words of a command line that is one simple command of a reviewed program, on one line, with
 * literal words only, none of which leads out of the working directory by its text; `undefined` for
 * every other.
 */
export function plainCommandOf(command: string): PlainCommand | undefined {
  if (visibleLine(command) !== command || !line.test(command)) return undefined
  const [program = '', ...given] = (command.match(words) ?? []).map((each) => each.replaceAll(/'([^']*)'|"([^"]*)"/g, '$1$2'))
  if (!programs.has(program)) return undefined
  const refused = programs.get(program)
  return given.some((each) => leadsOut(each) || refused?.test(each)) ? undefined : [program, ...given]
}

/** Absolute, at home or upwards; also as the value of an option, and in a list. */
const leadsOut = (argument: string): boolean =>
  /(?:^|[=:,])[/~]|(?:^|[/=:,])\.\.(?:$|[/=:,])/.test(argument) || (/^-(?!-)/.test(argument) && /[/~]|\.\./.test(argument))
