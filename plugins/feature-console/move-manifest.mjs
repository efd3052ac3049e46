import { rename } from 'node:fs/promises'

/** Moves the list of chunks out of the folder that is served: only checks read it. */
export function moveManifest(from, to) {
  return {
    name: 'move-manifest',
    apply: 'build',
    closeBundle: {
      order: 'pre',
      sequential: true,
      async handler(error) {
        if (!error) await rename(from, to)
      },
    },
  }
}
