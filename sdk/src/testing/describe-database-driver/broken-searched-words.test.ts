import type { BrokenDriver } from './break-driver.test.js'
import { asking, withTexts } from './break-searches.test.js'

const bare = (word: string): string => word.normalize('NFD').replace(/\p{M}/gu, '')

/** Drivers whose searches find the wrong documents. */
export const brokenSearchedWords: readonly BrokenDriver[] = [
  {
    rule: 'a search finds texts of every scope',
    create: withTexts(
      (search) => ({ ...search, scope: 'all' }),
      (query) => ({ ...query, scope: 'all' }),
    ),
    fails: [
      'searches › find documents of one scope alone, whatever it is called',
      'searches › follow every change of a text, its time and its scope',
      'searches › agree with a plain model over random writes',
    ],
  },
  {
    rule: 'scopes are compared without case',
    create: withTexts(
      (search) => ({ ...search, scope: search.scope.toLowerCase() }),
      (query) => ({ ...query, scope: query.scope.toLowerCase() }),
    ),
    fails: ['searches › find documents of one scope alone, whatever it is called'],
  },
  {
    rule: 'every word is a beginning',
    create: asking((query) => ({ ...query, terms: query.terms.map((term) => ({ ...term, prefix: true })) })),
    fails: [
      'searches › find documents that have every word, wherever it stands',
      'searches › find words that go on only where a term says so',
      'searches › take any word as a word',
      'searches › find what was there before the text index, in whatever way it comes and goes',
      'searches › agree with a plain model over random writes',
    ],
  },
  {
    rule: 'no word is a beginning',
    create: asking((query) => ({ ...query, terms: query.terms.map((term) => ({ ...term, prefix: false })) })),
    fails: [
      'searches › find words that go on only where a term says so',
      'searches › find documents of one scope alone, whatever it is called',
      'searches › agree with a plain model over random writes',
    ],
  },
  {
    rule: 'a phrase is a list of words',
    create: asking((query) => ({
      ...query,
      terms: query.terms.flatMap(({ words, prefix }) =>
        words.map((word, at) => ({ words: [word], prefix: prefix && at === words.length - 1 })),
      ),
    })),
    fails: ['searches › find phrases in one passage only', 'searches › agree with a plain model over random writes'],
  },
  {
    rule: 'one word is enough',
    create: asking((query) => ({ ...query, terms: query.terms.slice(0, 1) })),
    fails: ['searches › find documents that have every word, wherever it stands', 'searches › agree with a plain model over random writes'],
  },
  {
    rule: 'a phrase goes on in the next passage',
    create: withTexts((search) => ({ ...search, words: search.words.replaceAll('\n', ' ') })),
    fails: ['searches › find phrases in one passage only', 'searches › agree with a plain model over random writes'],
  },
  {
    rule: 'accents of words are levelled by the driver',
    create: withTexts(
      (search) => ({ ...search, words: bare(search.words) }),
      (query) => ({ ...query, terms: query.terms.map(({ words, prefix }) => ({ words: words.map(bare), prefix })) }),
    ),
    fails: ['searches › take any word as a word'],
  },
]
