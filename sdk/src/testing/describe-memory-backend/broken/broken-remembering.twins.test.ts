import { describeTwins, listing } from './break-backend.test.js'
import { again, deleted, hostile, keys, origins, remembers } from './suite-titles.test.js'

describeTwins('remembering', [
  [
    'texts that are trimmed',
    ({ remember }) => ({ remember: (memory, call) => remember({ ...memory, text: memory.text.trim() }, call) }),
    [hostile],
  ],
  [
    'texts that are cut',
    ({ remember }) => ({ remember: (memory, call) => remember({ ...memory, text: memory.text.slice(0, 2_000) }, call) }),
    [hostile],
  ],
  ['lost evidence', ({ remember }) => ({ remember: ({ evidence: _, ...memory }, call) => remember(memory, call) }), [remembers, deleted]],
  [
    'keys without effect',
    ({ remember }) => {
      let count = 0
      return {
        remember(memory, call) {
          count += 1
          return remember({ ...memory, key: `${count}` }, call)
        },
      }
    },
    [keys, again],
  ],
  ['lost origins', ({ remember }) => ({ remember: ({ origin: _, ...memory }, call) => remember(memory, call) }), [origins]],
  ['times in local form', listing((item) => ({ ...item, updatedAt: item.updatedAt.replace('Z', '+00:00') })), [remembers]],
  ['members that are undefined', listing((item) => ({ ...item, title: undefined }) as never), [remembers]],
])
