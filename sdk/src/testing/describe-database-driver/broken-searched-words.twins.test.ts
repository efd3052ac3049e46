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
      'searches › find documents of only one scope, with any name',
      'searches › follow every change of a text, its time and its scope',
      'searches › agree with a simple model over random writes',
    ],
  },
  {
    rule: 'scopes are compared without case',
    create: withTexts(
      (search) => ({ ...search, scope: search.scope.toLowerCase() }),
      (query) => ({ ...query, scope: query.scope.toLowerCase() }),
    ),
    fails: ['searches › find documents of only one scope, with any name'],
  },
  {
    rule: 'every word is a prefix',
    create: asking((query) => ({ ...query, terms: query.terms.map((term) => ({ ...term, prefix: true })) })),
    fails: [
      'searches › find documents with every word, in any position',
      'searches › find longer words only for prefix terms',
      'searches › take any word as a word',
      'searches › find documents from before the text index, however it is added or dropped',
      'searches › agree with a simple model over random writes',
    ],
  },
  {
    rule: 'no word is a prefix',
    create: asking((query) => ({ ...query, terms: query.terms.map((term) => ({ ...term, prefix: false })) })),
    fails: [
      'searches › find longer words only for prefix terms',
      'searches › find documents of only one scope, with any name',
      'searches › agree with a simple model over random writes',
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
    fails: ['searches › find phrases in one passage only', 'searches › agree with a simple model over random writes'],
  },
  {
    rule: 'one word is enough',
    create: asking((query) => ({ ...query, terms: query.terms.slice(0, 1) })),
    fails: ['searches › find documents with every word, in any position', 'searches › agree with a simple model over random writes'],
  },
  {
    rule: 'a phrase continues in the next passage',
    create: withTexts((search) => ({ ...search, words: search.words.replaceAll('\n', ' ') })),
    fails: ['searches › find phrases in one passage only', 'searches › agree with a simple model over random writes'],
  },
  {
    rule: 'the driver removes accents from words',
    create: withTexts(
      (search) => ({ ...search, words: bare(search.words) }),
      (query) => ({ ...query, terms: query.terms.map(({ words, prefix }) => ({ words: words.map(bare), prefix })) }),
    ),
    fails: ['searches › take any word as a word'],
  },
]
