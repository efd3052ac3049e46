import { clike } from '@codemirror/legacy-modes/mode/clike'
import type { StreamParser } from '@codemirror/streamparser'

const words = (text: string): Readonly<Record<string, true>> => Object.fromEntries(text.split(' ').map((word) => [word, true]))

/** PHP has the tokens of C, with variables and comments of its own. What stands outside of `<?php` is read as code, too. */
export const php: StreamParser<unknown> = clike({
  name: 'php',
  keywords: words(
    'abstract and array as break callable case catch class clone const continue declare default die do echo else elseif empty enddeclare endfor endforeach endif endswitch endwhile enum exit extends final finally fn for foreach function global goto if implements include include_once instanceof insteadof interface isset list match namespace new or print private protected public readonly require require_once return static switch throw trait try unset use var while xor yield',
  ),
  blockKeywords: words('catch do else elseif for foreach if switch try while finally'),
  types: words('bool boolean float double int integer iterable mixed never object self string void'),
  atoms: words('true false null TRUE FALSE NULL __CLASS__ __DIR__ __FILE__ __LINE__ __METHOD__ __FUNCTION__ __NAMESPACE__'),
  multiLineStrings: true,
  hooks: {
    $: (stream: { eatWhile(pattern: RegExp): boolean }) => {
      stream.eatWhile(/[\w$]/)
      return 'variableName.special'
    },
    '#': (stream: { peek(): string | undefined; skipToEnd(): void }) => {
      if (stream.peek() === '[') return 'meta'
      stream.skipToEnd()
      return 'comment'
    },
    '<': (stream: { match(pattern: RegExp): unknown }) => (stream.match(/^\?(?:php|=)?/) ? 'meta' : false),
    '?': (stream: { match(text: string): unknown }) => (stream.match('>') ? 'meta' : false),
  },
}) as StreamParser<unknown>
