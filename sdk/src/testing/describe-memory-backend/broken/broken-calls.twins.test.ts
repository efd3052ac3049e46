import { describeTwins, never } from './break-backend.test.js'
import { aborted } from './suite-titles.test.js'

describeTwins('aborted calls', [
  ['calls that are not aborted', ({ list }) => ({ list: (reader, options) => list(reader, { ...options, signal: never }) }), [aborted]],
  [
    'calls that store although they are aborted',
    ({ remember }) => ({
      async remember(memory, { signal }) {
        const stored = await remember(memory, { signal: never })
        signal.throwIfAborted()
        return stored
      },
    }),
    [aborted],
  ],
])
